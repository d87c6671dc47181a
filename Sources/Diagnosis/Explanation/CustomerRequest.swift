import Foundation
import OAuthCore

/// What the application of a recording asks for, so that a demonstration can ask for the same. Nothing private.
package struct CustomerRequest: Sendable, Equatable {
    package var scopes: [String] = []
    /// The path of a redirect URI on the user's computer, which can be registered wrongly.
    package var redirectPath: String?
    package var prompt: String?

    package init() {}

    init?(_ evidence: Evidence) {
        let steps = evidence.steps(.authorize) + evidence.steps(.device) + evidence.steps(.token)
        guard let parameters = steps.last(where: { $0.exchange.parameters["scope"] != nil })?.exchange.parameters else {
            return nil
        }
        scopes = (parameters["scope"] ?? "").split(separator: " ").map(String.init)
        if let url = parameters["redirect_uri"].flatMap(URL.init(string:)), url.isLoopback,
            url.path.wholeMatch(of: #/(?:\/[A-Za-z0-9._-]{1,30}){1,3}/#) != nil
        {
            redirectPath = url.path
        }
        prompt = parameters["prompt"]
    }
}
