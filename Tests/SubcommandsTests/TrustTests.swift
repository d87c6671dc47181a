import Console
import DemoAuthority
import Foundation
import MSAL
import Testing

@testable import Subcommands

/// Whom an application trusts is a value of its profile: nothing that happens to another profile changes it.
@Suite("Trust of each profile") struct TrustTests {

    /// A profile for an authority with its own certificate, which only its CA file makes trusted.
    private struct Place {
        let server: DemoAuthorityServer
        var profile: Profile

        init(_ name: String, in folder: TemporaryFolder) async throws {
            server = try await DemoAuthorityServer.start(usesTLS: true)
            let path = "\(folder.path)/\(name).pem"
            try Data(#require(server.certificate).utf8).write(to: URL(fileURLWithPath: path))
            profile = Profile(
                name: name, clientID: DemoAuthorityServer.clientID, authority: server.authorityURL("contoso"))
            profile.authorityType = .aad
            profile.knownAuthorities = [server.authorityURL("contoso")]
            profile.cacheFile = "\(folder.path)/\(name).db"
            profile.certificateAuthorityFile = path
        }

        var api: APITarget { APITarget(address: server.origin.appending(path: "api/me").absoluteString) }
    }

    /// Opens the form for another profile, as the terminal program does: validates the fields, and sends nothing.
    private func openForm(of profile: Profile) {
        let draft = ProfileDraft(
            kind: .entra, authority: profile.authority.absoluteString, clientID: profile.clientID,
            redirectURI: "http://localhost", certificates: profile.certificateAuthorityFile ?? "", name: profile.name)
        _ = DraftRules(draft: draft).judge()
        _ = try? DraftRules(draft: draft).applicationToTest()
    }

    private func call(
        _ place: Place, by application: MSALPublicClientApplication?, in environment: [String: String] = [:]
    ) async -> Int? {
        let answer = try? await RecordedCall(environment: environment).perform(application, place.api, { _ in }) { _ in
            nil
        }
        return answer?.status
    }

    @Test("Two profiles at once trust their own CA file each, whatever form is open") func twoProfiles() async throws {
        let folder = try TemporaryFolder(in: [:])
        let (first, second) = (try await Place("first", in: folder), try await Place("second", in: folder))
        defer { for place in [first, second] { place.server.stop() } }
        let (one, other) = (
            try first.profile.applicationToLookAt(), try second.profile.applicationToLookAt()
        )
        openForm(of: second.profile)
        let problems = await withTaskGroup(of: String?.self) { group in
            for number in 0..<12 {
                let (application, foreign) = number.isMultiple(of: 2) ? (one, second) : (other, first)
                let own = number.isMultiple(of: 2) ? first : second
                group.addTask {
                    let probe = await application.probeAuthority(replacesCached: false)
                    if let failure = probe.failure { return "\(own.profile.name): \(failure)" }
                    if await call(own, by: application) != 401 { return "\(own.profile.name): its own API" }
                    if await call(foreign, by: application) != nil { return "\(own.profile.name): a foreign API" }
                    openForm(of: foreign.profile)
                    return nil
                }
            }
            return await group.reduce(into: []) { problems, problem in problems += [problem].compactMap(\.self) }
        }
        #expect(problems == [])
        // The connections that are still open serve no application with another CA file.
        var crossed = first.profile
        crossed.certificateAuthorityFile = second.profile.certificateAuthorityFile
        #expect(try await crossed.applicationToLookAt().probeAuthority(replacesCached: false).failure != nil)
    }

    @Test("Without a CA file of the profile, an API call trusts that of SSL_CERT_FILE") func environment() async throws
    {
        let folder = try TemporaryFolder(in: [:])
        let place = try await Place("first", in: folder)
        defer { place.server.stop() }
        let file = try #require(place.profile.certificateAuthorityFile)
        var profile = place.profile
        profile.certificateAuthorityFile = nil
        let application = try profile.applicationToLookAt()
        #expect(await call(place, by: application) == nil)
        #expect(await call(place, by: application, in: ["SSL_CERT_FILE": file]) == 401)
        let own = try place.profile.applicationToLookAt()
        #expect(await call(place, by: own, in: ["SSL_CERT_FILE": "/etc/ssl/certs/ca-certificates.crt"]) == 401)
    }
}
