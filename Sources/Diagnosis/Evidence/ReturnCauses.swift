import Foundation
import OAuthCore

/// Causes in where the browser returns to.
enum ReturnCauses {
    /// The application keeps the sign-in at another host than that of its redirect URI, in a cookie or in the page's storage.
    @Sendable static func otherHost(_ evidence: Evidence) -> Cause? {
        let starts = Starts(evidence)
        for step in evidence.steps(.response)
        where step.exchange.parameters["code"] != nil && step.exchange.requestHeaders["Cookie"] == nil {
            let response = step.exchange
            guard let start = starts.start(of: step), start.url.host?.lowercased() != response.host else {
                continue
            }
            return Cause(
                "other-host",
                facts: [.url("Start", start.url.absoluteString), .url("Redirect URI", response.endpoint)],
                at: start.number, response.number)
        }
        return nil
    }

    /// The response is where only the page's scripts see it, but a listener waits for it. An error with a description was seen
    /// by somebody, and a single-page application reads the fragment.
    @Sendable static func inFragment(_ evidence: Evidence) -> Cause? {
        let urls = evidence.steps.flatMap { step in
            [step.exchange.url, step.exchange.location].compactMap(\.self).map { ($0, step.exchange.number) }
        }
        let match = urls.first { url, _ in
            guard let place = url.firstIndex(of: "#"), URL(string: String(url[..<place]))?.isLoopback == true
            else { return false }
            let parameters = Parameters(formEncoded: String(url[url.index(after: place)...]))
            return parameters["code"] != nil
                || parameters["error"] != nil && parameters["error_description"] == nil
        }
        let isPage = evidence.steps(.authorize).contains {
            $0.exchange.parameters["x-client-SKU"]?.lowercased().hasPrefix("msal.js") == true
        }
        guard let (url, number) = match, !isPage else { return nil }
        return Cause(
            "response-in-fragment", facts: [.url("Redirect URI", String(url.prefix { $0 != "?" && $0 != "#" }))],
            at: number)
    }

    /// Where the application sent the browser to the authority: a redirect with a cookie, or a page without a token request
    /// after its return.
    private struct Starts {
        private let redirect: Exchange?
        private let requests: [String?: Evidence.Step]
        private let hasTokenRequests: Bool

        init(_ evidence: Evidence) {
            redirect = evidence.exchanges.first { start in
                start.responseHeaders["Set-Cookie"] != nil
                    && start.location.map { Parameters(queryAndFragmentOf: $0)["redirect_uri"] != nil } ?? false
            }
            requests = evidence.steps(.authorize).first { .some($0.exchange.parameters["state"]) }
            hasTokenRequests = !evidence.steps(.token).isEmpty
        }

        func start(of step: Evidence.Step) -> (url: URL, number: Int)? {
            if let redirect, step.exchange.status >= 400 {
                return URL(string: redirect.endpoint).map { ($0, redirect.number) }
            }
            guard let request = requests[step.exchange.parameters["state"]]?.exchange, !hasTokenRequests,
                let page = request.requestHeaders["Referer"].flatMap({ URL(string: $0) }),
                page.host?.lowercased() != request.host
            else { return nil }
            return (page, request.number)
        }
    }
}
