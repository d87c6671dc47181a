import DemoAuthority
import Foundation
import LinuxAdapters
import OAuthCore
import TerminalUI

/// The scripted person with a browser: real requests to the authority's pages, then to this program's own listener, as any
/// browser would send them.
///
/// It stands on the person's side of the sign-in, so it uses the transport directly and none of the library's API.
package struct ScriptedBrowser: Sendable {
    private let person: ScriptedPerson
    private let transport: CurlTransport

    package init(username: String, password: String) {
        let transport = CurlTransport()
        self.transport = transport
        person = ScriptedPerson(username: username, password: password) { try await transport.send($0) }
    }

    /// Goes from the first page to the last; returns when the listener has taken the answer, and throws when it has not.
    @Sendable package func walk(_ address: URL, say: @escaping @Sendable (String) -> Void) async throws {
        do {
            let landing = try await person.walk(from: address) { say(Self.line($0)) }
            let status = try await open(landing)
            say("The browser is back at this program's listener, whose page says \(status)")
            guard status == 200 else {
                throw CommandFailure(
                    .failed, name: "scriptedPerson", "The listener did not take the answer: it says \(status).",
                    nextStep: "Sign in by hand at \(address.host ?? "the authority") to see why.")
            }
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
