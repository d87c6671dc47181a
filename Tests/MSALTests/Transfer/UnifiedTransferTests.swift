import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Export of the whole cache from one application into another.
@Suite(.oneSessionAtATime) struct UnifiedTransferTests {
    private func signedIn() async throws -> World {
        var world = try World()
        world.seat(.ann)
        _ = try await world.application().acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
        world.browser = ForbiddenBrowser()
        world.transport.forget()
        return world
    }

    @Test("Every record of a sign-in is imported unchanged")
    func roundTrip() async throws {
        let world = try await signedIn()
        let data = try world.application().exportUnifiedCache()
        #expect(try UnifiedDocument(parsing: [UInt8](data)).records == world.store.all)
    }

    @Test("An imported cache gives tokens silently, and a second import changes nothing")
    func importInto() async throws {
        let world = try await signedIn()
        let data = try world.application().exportUnifiedCache()
        let records = world.store.all
        try world.store.update(matching: CredentialQuery()) { all in all.map { .delete($0.key) } }

        let application = try world.application()
        let report = try application.importUnifiedCache(data.base64EncodedData())
        #expect(report.accounts.map(\.outcome) == [.imported])
        #expect(report.accounts.first?.username == "ann@contoso.example")
        #expect(
            report.accounts.first?.detail == "1 refresh token, 1 access token, 1 ID token, 1 account entry")
        #expect(world.store.all == records)
        let account = try application.account(forUsername: "ann@contoso.example")
        let result = try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account))
        #expect(result.isFromCache)

        let again = try application.importUnifiedCache(data)
        #expect(again.accounts.map(\.outcome) == [.alreadyCached])
        #expect(world.store.all == records)
    }

    @Test("An account that signed out is listed again after an import of its refresh token")
    func afterSignOut() async throws {
        let world = try await signedIn()
        let application = try world.application()
        let data = try application.exportUnifiedCache()
        let account = try application.account(forUsername: "ann@contoso.example")
        _ = try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
        #expect(try application.allAccounts().isEmpty)
        #expect(try application.importUnifiedCache(data).accounts.map(\.outcome) == [.imported])
        #expect(try application.allAccounts() == [account])
        let result = try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account))
        #expect(result.isFromCache)
    }

    @Test("Expired access tokens are left out, newer tokens replace older ones, invalid entries are counted")
    func merging() async throws {
        let world = try await signedIn()
        let records = world.store.all
        var document = UnifiedDocument()
        document.apply(records.map { .save($0) })
        var newer = try #require(records.first { $0.key.kind == .refreshToken })
        newer.members["secret"] = "newer"
        newer.members["last_modification_time"] = "4000000000"
        document.apply([.save(newer)])
        let text = String(decoding: document.bytes, as: UTF8.self)
            .replacingOccurrences(of: #""RefreshToken": {"#, with: #""RefreshToken": {"junk":{"foo":1},"#)
        world.time.advance(by: 7200)
        let report = try world.application().importUnifiedCache(Data(text.utf8))
        #expect(report.unusedEntries == 1)
        #expect(
            report.accounts.first?.detail
                == "1 refresh token; already here: 1 ID token, 1 account entry; expired and skipped: 1 access token")
        #expect(world.store.all.first { $0.key == newer.key }?.members["secret"] == "newer")
    }

    @Test("An invalid file changes nothing", arguments: ["", "x", "[]", #"{"Account":1}"#])
    func rejected(text: String) async throws {
        let world = try World()
        // An empty file is an empty cache.
        guard !text.isEmpty else {
            return #expect(try world.application().importUnifiedCache(Data()).accounts.isEmpty)
        }
        #expect(throws: MSALAuthenticationError.self) {
            try world.application().importUnifiedCache(Data(text.utf8))
        }
        #expect(world.store.updates == 0)
    }
}
