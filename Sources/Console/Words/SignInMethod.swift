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
}
