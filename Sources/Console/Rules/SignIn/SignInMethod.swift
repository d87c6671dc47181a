/// A sign-in method: where the user signs in, and how the response reaches the program.
package enum SignInMethod: String, Sendable, CaseIterable {
    /// A browser on this machine, which redirects to the program.
    case browser
    /// Any browser; the user pastes its final address.
    case paste
    /// Any browser, where the user enters a code (RFC 8628).
    case device
    /// The identity broker of the user's desktop session, if the organisation installed one.
    case broker

    /// The method as a phrase after "sign in".
    var inWords: String {
        switch self {
        case .browser: "with the browser"
        case .paste: "with any browser"
        case .device: "with a device code"
        case .broker: "with the identity broker"
        }
    }

    /// The method as the object of a sentence.
    var asObject: String {
        switch self {
        case .browser: "the browser"
        case .paste: "a pasted URL"
        case .device: "a device code"
        case .broker: "the identity broker"
        }
    }

    /// The method's label in a list.
    var title: String {
        switch self {
        case .browser: "Browser"
        case .paste: "Paste"
        case .device: "Device"
        case .broker: "Broker"
        }
    }
}
