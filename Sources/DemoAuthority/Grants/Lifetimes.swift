import Foundation

/// Lifetimes in seconds.
package struct Lifetimes: Sendable, Equatable {
    /// The code's lifetime, at most ten minutes (RFC 6749 §4.1.2).
    package var code: TimeInterval = 300
    /// The time from the first page to the last.
    package var pages: TimeInterval = 600
    package var deviceCode: TimeInterval = 900
    /// The least time between a device's polls.
    package var devicePollInterval: TimeInterval = 5
    package var accessToken: TimeInterval = 3600
    package var idToken: TimeInterval = 3600
    /// The time from one use to the next.
    package var refreshToken: TimeInterval = 90 * 86400
    /// The lifetime of a browser session.
    package var browserSession: TimeInterval = 43200

    package init() {}
}
