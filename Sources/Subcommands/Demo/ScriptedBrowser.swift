import DemoAuthority
import Foundation
import LinuxAdapters
import OAuthCore
import TerminalUI

/// The browser of the scripted users. Sends real requests to the authority's pages and this program's listener, and keeps
/// its cookies.
///
/// It is on the user's side of the sign-in, so it uses the transport and not the library's API.
struct ScriptedBrowser: Sendable {
    private let transport = CurlTransport()
    private let cookies = CookieJar()

    /// Signs in from the first page to the listener's last one. Throws if the listener rejects the response.
    @Sendable func walk(_ address: URL, as actor: Stage.Actor, say: @escaping @Sendable (String) -> Void) async throws {
        try await unlessStuck(at: address) {
            let landing = try await person(actor).walk(from: address) { say(Self.line($0)) }
            let status = try await open(landing)
            say("The browser returned to this program's listener (HTTP \(status))")
            guard status == 200 else {
                throw CommandFailure(
                    .failed, name: "scriptedUser", "The listener rejected the response (HTTP \(status)).",
                    nextStep: "Sign in by hand at \(address.host ?? "the authority") to see why.")
            }
        }
    }

    /// Enters a device code.
    @Sendable func enterCode(
        _ address: URL, as actor: Stage.Actor, say: @escaping @Sendable (String) -> Void
    ) async throws {
        try await unlessStuck(at: address) {
            let title = try await person(actor).finish(from: address) { say(Self.line($0)) }
            say(Printable.sanitize("Last page: \(title)"))
        }
    }

    private func person(_ actor: Stage.Actor) -> ScriptedPerson {
        ScriptedPerson(
            username: actor.person.username, password: actor.person.password, consent: actor.consent, cookies: cookies
        ) { [transport] in try await transport.send($0) }
    }

    private func unlessStuck(at address: URL, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let stuck as ScriptedPerson.Stuck {
            throw CommandFailure(
                .failed, name: "scriptedUser", "The scripted user is stuck: \(stuck)",
                nextStep: "Sign in by hand at \(address.host ?? "the authority") to see why.")
        }
    }

    /// Opens a page and follows the listener's redirect to a URL without the code.
    private func open(_ address: URL) async throws -> Int {
        let response = try await transport.send(HTTPRequest(.get, address))
        guard let location = response.headers["Location"], let next = URL(string: location, relativeTo: address) else {
            return response.status
        }
        return try await transport.send(HTTPRequest(.get, next.absoluteURL)).status
    }

    private static func line(_ visit: ScriptedPerson.Visit) -> String {
        let alert = visit.alert.isEmpty ? "" : " (\(visit.alert))"
        return Printable.sanitize("Page \"\(visit.title)\"\(alert): \(visit.action)")
    }
}
