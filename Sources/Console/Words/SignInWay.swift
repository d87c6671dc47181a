/// How the person gets to the sign-in page and its answer back to the program.
package enum SignInWay: String, Sendable, CaseIterable {
    /// A browser on this machine, which comes back by itself.
    case browser
    /// A browser anywhere; the person copies the address it ends on.
    case paste
    /// A browser anywhere, where the person enters a code (RFC 8628).
    case device
    /// The identity broker of the person's session, where the organisation set one up.
    case broker
}
