import Foundation
import KeyturnSystem
import TestSupport
import Testing

@testable import MSAL

/// Pages whose port belongs to another user's process.
@Suite("Pages of another user's process", .oneSessionAtATime)
struct ForeignPageTests {
    /// A browser that finds every page's server to be another user's.
    private final class WaryBrowser: BrowserLauncher {
        let opened = Locked(0)
        let checked = Locked<[String]>([])

        func checkServer(of page: URL) throws(TransportFailure) {
            checked.withLock { $0.append(page.path(percentEncoded: false)) }
            throw TransportFailure(.foreignPort, reason: "port 8400 belongs to another user's process.")
        }

        func open(_ page: BrowserPage) { opened.withLock { $0 += 1 } }
    }

    private let browser = WaryBrowser()

    private func world() throws -> World {
        var world = try World()
        world.browser = browser
        return world
    }

    private func expectRejection(of page: String, _ work: () async throws -> Void) async throws {
        let failure = await #expect(throws: MSALAuthenticationError.self) { try await work() }
        let error = try #require(failure)
        #expect(error.localizedDescription.contains("another user's process"))
        #expect(error.localizedRecoverySuggestion?.contains("Stop that process") == true)
        #expect(browser.checked.withLock { $0.last }?.hasSuffix(page) == true)
        #expect(browser.opened.withLock { $0 } == 0)
    }

    @Test("Are opened neither by the browser nor by the program", arguments: [true, false])
    func signIn(opensItself: Bool) async throws {
        let world = try world()
        let shown = Locked(false)
        let webview = MSALWebviewParameters()
        if opensItself { webview.openURLHandler = { _ in shown.withLock { $0 = true } } }
        let log = EventLog()
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.flowEventHandler = log.handler
        try await expectRejection(of: "/authorize") {
            _ = try await world.application().acquireToken(with: parameters)
        }
        #expect(!shown.withLock { $0 })
        #expect(log.all.allSatisfy { $0.authorizationURL == nil })
        #expect(world.receiver.opened == 1 && world.receiver.closed == 1)
    }

    @Test("Are not shown with a device code")
    func deviceCode() async throws {
        let shown = Locked(false)
        let parameters = MSALDeviceCodeParameters(scopes: ["User.Read"]) { _ in shown.withLock { $0 = true } }
        try await expectRejection(of: "/device") {
            _ = try await world().application().acquireToken(with: parameters)
        }
        #expect(!shown.withLock { $0 })
    }

    @Test("Are not opened to sign out: the URL names the user")
    func signOut() async throws {
        var world = try World()
        world.seat(.ann)
        let account = try await world.application().acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        ).account
        world.browser = browser
        let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        parameters.signoutFromBrowser = true
        try await expectRejection(of: "/logout") {
            _ = try await world.application().signout(with: account, signoutParameters: parameters)
        }
    }

    @Test("Fail the check of the authority")
    func probe() async throws {
        let probe = await (try world().application()).probeAuthority()
        #expect(probe.failure?.localizedDescription.contains("another user's process") == true)
        #expect(browser.checked.withLock { $0.last }?.hasSuffix("/authorize") == true)
    }
}
