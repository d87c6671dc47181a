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

    private var words: (title: String, object: String, phrase: String) {
        switch self {
        case .browser: ("Browser", "the browser", "with the browser")
        case .paste: ("Paste", "a pasted URL", "with any browser")
        case .device: ("Device", "a device code", "with a device code")
        case .broker: ("Broker", "the identity broker", "with the identity broker")
        }
    }

    /// The method's label in a list.
    var title: String { words.title }
    /// The method as the object of a sentence.
    var asObject: String { words.object }
    /// The method as a phrase after "sign in".
    var inWords: String { words.phrase }
}
