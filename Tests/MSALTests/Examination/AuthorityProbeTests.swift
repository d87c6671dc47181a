import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

@Suite("Examination of an authority")
struct AuthorityProbeTests {
    @Test func aValidAuthorityReturnsIssuerKeysAndClock() async throws {
        let world = try World()
        world.transport.tamper { _, response in
            var response = response
            response.headers["Date"] = "Fri, 20 Nov 2026 14:00:00 GMT"
            return response
        }
        let probe = await (try world.application()).probeAuthority()
        #expect(probe.failure == nil)
        #expect(probe.issuer == "http://127.0.0.1:8400/{tenantid}/v2.0")
        #expect(probe.signingKeyCount ?? 0 > 0)
        #expect(probe.offersDeviceCode && probe.offersSignOut)
        #expect(probe.codeChallengeMethods?.contains("S256") == true)
        #expect(probe.authorityDate == Date(timeIntervalSince1970: 1_795_183_200))
        #expect(probe.localDate == world.time.now())
    }

    @Test func cachedDocumentsAreNotUsed() async throws {
        let world = try World()
        let application = try world.application()
        _ = await application.probeAuthority()
        world.transport.forget()
        _ = await application.probeAuthority()
        let paths = world.transport.requests.map { $0.url.lastPathComponent }
        #expect(paths.contains("openid-configuration") && paths.contains("keys"))
        world.transport.trouble(.offline)
        #expect(await application.probeAuthority().failure != nil)
    }

    @Test("Responses replace cached documents, unless the cache must not change", arguments: [true, false])
    func replacing(replacesCached: Bool) async throws {
        let world = try World()
        let stale = CachedDocument(body: Array("stale".utf8), fetchedAt: world.time.now())
        let issuer = Directory.contoso + "/v2.0"
        let address = try #require(
            URL(string: "http://127.0.0.1:8400/\(issuer)/.well-known/openid-configuration"))
        world.documents.save(stale, for: address)
        let probe = await (try world.application(authority: issuer, isOpenID: true))
            .probeAuthority(replacesCached: replacesCached)
        #expect(probe.failure == nil)
        #expect((world.documents.load(address) == stale) != replacesCached)
    }

    @Test(
        "An invalid authority fails as in a sign-in",
        arguments: [
            (AuthorityTransport.Trouble.offline, "Can't reach"), (.status(503), "503"), (.status(404), "404"),
        ])
    func failures(trouble: AuthorityTransport.Trouble, part: String) async throws {
        let world = try World()
        world.transport.trouble(trouble)
        let probe = await (try world.application(authority: "", isOpenID: true)).probeAuthority()
        #expect(probe.failure?.localizedDescription.contains(part) == true)
        #expect(probe.issuer == nil && probe.signingKeyCount == nil)
    }
}

@Suite("Device code support of an authority")
struct DeviceCodeOfferTests {
    @Test("Is remembered without a discovery document that must not be stored")
    func notStored() async throws {
        let world = try World()
        world.transport.tamper { _, response in
            var response = response
            response.headers["Cache-Control"] = "no-store"
            return response
        }
        let application = try world.application()
        #expect(try await application.offersDeviceCode())
        #expect(application.cachedDeviceCodeSupport == true)
    }

    @Test("Comes from the discovery document, which is fetched once", arguments: [true, false])
    func offer(isOffered: Bool) async throws {
        let world = try World()
        if !isOffered {
            world.transport.tamper { _, response in
                var response = response
                let text = String(decoding: response.body, as: UTF8.self)
                response.body = Array(text.replacing("device_authorization_endpoint", with: "other").utf8)
                return response
            }
        }
        let application = try world.application()
        #expect(application.cachedDeviceCodeSupport == nil)
        #expect(try await application.offersDeviceCode() == isOffered)
        world.transport.trouble(.offline)
        #expect(try await application.offersDeviceCode() == isOffered)
        #expect(application.cachedDeviceCodeSupport == isOffered)
    }

    @Test func anUnreachableAuthorityThrowsAsInASignIn() async throws {
        let world = try World()
        world.transport.trouble(.offline)
        let application = try world.application(authority: "", isOpenID: true)
        await #expect(throws: MSALAuthenticationError.self) { try await application.offersDeviceCode() }
        #expect(application.cachedDeviceCodeSupport == nil)
    }
}
