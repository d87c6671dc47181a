import Foundation

extension URL {
    /// The port of the authorization request's redirect URI.
    package var redirectPort: Int? {
        URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name == "redirect_uri" }?.value.flatMap { URL(string: $0)?.port }
    }
}
