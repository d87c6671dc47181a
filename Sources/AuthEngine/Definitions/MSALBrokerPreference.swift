/// Whether one request goes to the session's identity broker. An addition of this library.
public enum MSALBrokerPreference: Sendable, Hashable, CaseIterable {
    /// As the application's configuration says; without a broker the sign-in goes on with the browser.
    case asConfigured
    /// To a broker first, whatever the configuration says; without one the sign-in goes on with the browser.
    case first
    /// To a broker alone: without one the request fails with ``MSALInternalError/internalBrokerNotAvailable``.
    case only
    /// To none.
    case never
}
