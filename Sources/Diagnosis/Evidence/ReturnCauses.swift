import Foundation
import OAuthCore

enum ReturnCauses {
    /// The application keeps the sign-in at another host than that of its redirect URI, in a cookie or in the page's storage.
    @Sendable static func otherHost(_ evidence: Evidence) -> Cause? {
        let redirect = evidence.exchanges.first { start in
            start.responseHeaders["Set-Cookie"] != nil
                && start.location.map { Parameters(queryAndFragmentOf: $0)["redirect_uri"] != nil } ?? false
        }
        let requests = evidence.steps(.authorize).first { .some($0.parameters["state"]) }
        // A redirect with a cookie, or a page without a token request after its return.
        func start(of step: Evidence.Step) -> (url: URL, number: Int)? {
            if let redirect, step.status >= 400 { return URL(string: redirect.endpoint).map { ($0, redirect.number) } }
            guard let request = requests[step.parameters["state"]]?.exchange, evidence.steps(.token).isEmpty,
                let page = request.requestHeaders["Referer"].flatMap({ URL(string: $0) }),
                page.host?.lowercased() != request.host
            else { return nil }
            return (page, request.number)
        }
        for step in evidence.steps(.response)
        where step.parameters["code"] != nil && step.exchange.requestHeaders["Cookie"] == nil {
            let response = step.exchange
            guard let start = start(of: step), start.url.host?.lowercased() != response.host else { continue }
            return Cause(
                "other-host",
                facts: [.url("Start", start.url.absoluteString), .url("Redirect URI", response.endpoint)],
                at: start.number, response.number)
        }
        return nil
    }

    /// A listener waits for what only the page's scripts see. An error with a description was seen by
    /// somebody, and a single-page application reads the fragment.
    @Sendable static func inFragment(_ evidence: Evidence) -> Cause? {
        let urls = evidence.steps.flatMap { step in
            [step.exchange.url, step.exchange.location].compactMap(\.self).map { ($0, step.number) }
        }
        let match = urls.first { url, _ in
            guard let place = url.firstIndex(of: "#"), URL(string: String(url[..<place]))?.isLoopback == true
            else { return false }
            let parameters = Parameters(formEncoded: String(url[url.index(after: place)...]))
            return parameters["code"] != nil || parameters["error"] != nil && parameters["error_description"] == nil
        }
        let isPage = evidence.steps(.authorize).contains {
            $0.parameters["x-client-SKU"]?.lowercased().hasPrefix("msal.js") == true
        }
        guard let (url, number) = match, !isPage else { return nil }
        return Cause(
            "response-in-fragment", facts: [.url("Redirect URI", String(url.prefix { $0 != "?" && $0 != "#" }))],
            at: number)
    }
}
