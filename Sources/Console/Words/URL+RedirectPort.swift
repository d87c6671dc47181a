import Foundation

extension URL {
    /// The port of this computer that an authorization request asks the browser to come back to.
    package var redirectPort: Int? {
        URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name == "redirect_uri" }?.value.flatMap { URL(string: $0)?.port }
    }
}
