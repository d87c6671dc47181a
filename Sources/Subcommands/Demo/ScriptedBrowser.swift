import Console
import DemoAuthority
import Foundation
import MSAL
import OAuthCore

/// The browser of the scripted users. Sends real requests to the authority's pages and this program's listener, and keeps
/// its cookies.
/// It is on the user's side of the sign-in, so it uses the transport instead of the library's API.
struct ScriptedBrowser: Sendable {
    /// Sends a request without following redirects.
    let send: @Sendable (HTTPRequest) async throws -> HTTPResponse
    /// Opens the final redirect URI, and returns whether the application accepted it.
    let land: @Sendable (URL) async throws -> Bool
    let now: @Sendable () -> Date
    let cookies = CookieJar()

    static func live() -> ScriptedBrowser {
        let transport = CurlTransport()
        return ScriptedBrowser(
            send: { try await transport.send($0) },
            land: { address in
                let response = try await transport.send(HTTPRequest(.get, address))
                guard let location = response.headers["Location"], let next = URL(string: location, relativeTo: address)
                else { return response.status == 200 }
                // The listener redirects to a URL without the code.
                return try await transport.send(HTTPRequest(.get, next.absoluteURL)).status == 200
            },
            now: { Date() })
    }

    /// Completes a page: a sign-in to the listener's last page, or the entry of a device code. Throws if the user is stuck.
    func act(
        on page: URL, as user: User, for step: GuidedWalk.Step, isCode: Bool,
        onPage: @escaping @Sendable (PageVisit) -> Void
    ) async throws {
        let user = ScriptedUser(
            username: user.username, password: user.password, consent: ScriptedUser.Consent(step),
            cookies: cookies, send: send)
        let see = { @Sendable (visit: PageVisit) in
            var visit = visit
            visit.date = now()
            onPage(visit)
        }
        do {
            if isCode {
                _ = try await user.finish(from: page, onPage: see)
            } else {
                let landing = try await user.walk(from: page, onPage: see)
                if step.isForged { _ = try await land(Self.forged(landing)) }
                guard try await land(landing) else { throw failure(page, "The application rejected the response.") }
            }
        } catch let stuck as ScriptedUser.Stuck {
            throw failure(page, "The scripted user is stuck: \(stuck)")
        }
    }

    private static func forged(_ landing: URL) -> URL {
        var parts = URLComponents(url: landing, resolvingAgainstBaseURL: false)
        parts?.queryItems = [
            URLQueryItem(name: "code", value: "a-code-of-another-program"),
            URLQueryItem(name: "state", value: "a-guess"),
        ]
        return parts?.url ?? landing
    }

    private func failure(_ page: URL, _ reason: String) -> Failure {
        Failure(
            .failed, name: "scriptedUser", reason, nextStep: "Sign in at \(page.host ?? "the authority") to see why.")
    }
}

extension ScriptedUser.Consent {
    fileprivate init(_ step: GuidedWalk.Step) {
        self = step.declines ? .decline : step.unticked.isEmpty ? .accept : .without(step.unticked)
    }
}
