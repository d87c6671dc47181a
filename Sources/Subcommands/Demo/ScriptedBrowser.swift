import DemoAuthority
import Foundation
import LinuxAdapters
import OAuthCore
import TerminalUI

/// The scripted people's browser: real requests to the authority's pages, then to this program's own listener, as any
/// browser would send them. It keeps its cookies from one sign-in to the next.
///
/// It stands on the person's side of the sign-in, so it uses the transport directly and none of the library's API.
struct ScriptedBrowser: Sendable {
    private let transport = CurlTransport()
    private let cookies = CookieJar()

    /// Goes from the first page to the last; returns when the listener has taken the answer, and throws when it has not.
    @Sendable func walk(_ address: URL, as actor: Stage.Actor, say: @escaping @Sendable (String) -> Void) async throws {
        try await unlessStuck(at: address) {
            let landing = try await person(actor).walk(from: address) { say(Self.line($0)) }
            let status = try await open(landing)
            say("The browser is back at this program's listener, whose page says \(status)")
            guard status == 200 else {
                throw CommandFailure(
                    .failed, name: "scriptedPerson", "The listener did not take the answer: it says \(status).",
                    nextStep: "Sign in by hand at \(address.host ?? "the authority") to see why.")
            }
        }
    }

    /// Enters a device's code.
    @Sendable func enterCode(
        _ address: URL, as actor: Stage.Actor, say: @escaping @Sendable (String) -> Void
    ) async throws {
        try await unlessStuck(at: address) {
            let title = try await person(actor).finish(from: address) { say(Self.line($0)) }
            say(Printable.sanitize("The last page says: \(title)"))
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
                .failed, name: "scriptedPerson", "The scripted person cannot get on: \(stuck)",
                nextStep: "Sign in by hand at \(address.host ?? "the authority") to see why.")
        }
    }

    /// Opens a page as a browser does: the listener sends it on to an address that holds no code.
    private func open(_ address: URL) async throws -> Int {
        let response = try await transport.send(HTTPRequest(.get, address))
        guard let location = response.headers["Location"], let next = URL(string: location, relativeTo: address) else {
            return response.status
        }
        return try await transport.send(HTTPRequest(.get, next.absoluteURL)).status
    }

    private static func line(_ visit: ScriptedPerson.Visit) -> String {
        let alert = visit.alert.isEmpty ? "" : " (it says: \(visit.alert))"
        return Printable.sanitize("The page \"\(visit.title)\"\(alert): \(visit.action)")
    }
}
