import DemoAuthority
import Diagnosis
import Foundation
import MSAL
import Tasks

/// The built-in authority, running, and a profile that signs in there with a cache to throw away.
struct DemoSetting: Sendable {
    let scenario: Scenario
    let server: DemoAuthorityServer
    let profile: Profile
    /// A cache that ADAL left behind, where the scenario has one.
    private let adalFile: URL?

    /// - Parameter folder: where the tokens go.
    init(_ scenario: Scenario, in folder: TemporaryFolder) async throws {
        self.scenario = scenario
        server = try await DemoAuthorityServer.start(
            port: 0, directory: scenario.directory, settings: scenario.settings)
        var profile = Self.profile(of: server, for: scenario.client)
        profile.cacheFile = folder.path + "/tokens.db"
        // A cache to throw away leaves nothing in the person's keyring.
        profile.cacheKey = .keyFile
        self.profile = profile
        let adalFile = URL(fileURLWithPath: folder.path + "/accessTokens.json")
        self.adalFile = scenario.client.adalUsername == nil ? nil : adalFile
        if let username = scenario.client.adalUsername {
            let cache = try await server.adalCache(of: username, scopes: scenario.client.scopes)
            try Data(cache).write(to: adalFile)
        }
    }

    /// One of the applications that share the cache, by its place among the scenario's redirect URIs.
    func application(_ index: Int = 0) throws -> MSALPublicClientApplication {
        var profile = profile
        profile.redirectURI = scenario.client.redirectURIs[index]
        return try profile.application { $0.cacheConfig.adalCacheFiles = [adalFile].compactMap(\.self) }
    }

    /// The scripted person's stage: real requests, and real time.
    func stage() -> Stage {
        let browser = ScriptedBrowser()
        return Stage(
            application: application, walk: browser.walk, enterCode: browser.enterCode,
            wait: { try await sleep(for: .seconds($0)) },
            authority: { try Profile.libraryAuthority(server.authorityURL($0), scenario.client.type) })
    }

    /// How to sign in at a built-in authority. It is listed as known, so that no cloud is asked about it.
    static func profile(of server: DemoAuthorityServer, for client: Scenario.Client = Scenario.Client()) -> Profile {
        let authority = server.authorityURL(client.segment)
        var profile = Profile(name: "demo", clientID: server.clientID, authority: authority)
        profile.authorityType = client.type
        profile.knownAuthorities = [authority]
        profile.scopes = client.scopes
        profile.clientCapabilities = client.capabilities
        return profile
    }
}

extension Scenario.Client {
    var type: AuthorityKind {
        switch dialect {
        case .entra: .aad
        case .b2c: .b2c
        case .external: .ciam
        case .openID: .oidc
        }
    }
}
