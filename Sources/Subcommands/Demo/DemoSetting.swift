import DemoAuthority
import Foundation

/// The built-in authority, running, and a profile that signs in there with a cache to throw away.
struct DemoSetting: Sendable {
    let server: DemoAuthorityServer
    let profile: Profile

    /// - Parameter folder: where the tokens and the authority's documents go.
    init(in folder: TemporaryFolder) async throws {
        server = try await DemoAuthorityServer.start(port: 0)
        var profile = Self.profile(of: server)
        profile.cacheFile = folder.path + "/tokens.db"
        // A cache to throw away leaves nothing in the person's keyring.
        profile.cacheKey = .keyFile
        profile.metadataDirectory = folder.path + "/documents"
        self.profile = profile
    }

    /// How to sign in at a built-in authority. It is listed as known, so that no cloud is asked about it.
    static func profile(of server: DemoAuthorityServer) -> Profile {
        let authority = server.authorityURL()
        var profile = Profile(name: "demo", clientID: server.clientID, authority: authority)
        profile.authorityType = .aad
        profile.knownAuthorities = [authority]
        profile.scopes = ["User.Read"]
        return profile
    }
}
