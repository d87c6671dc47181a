import Foundation

/// How long things last, in seconds.
package struct Lifetimes: Sendable, Equatable {
    /// RFC 6749 §4.1.2 allows a code ten minutes at most.
    package var code: TimeInterval = 300
    /// From the first page to the last.
    package var pages: TimeInterval = 600
    package var deviceCode: TimeInterval = 900
    /// How long a device has to wait from one question to the next.
    package var devicePollInterval: TimeInterval = 5
    package var accessToken: TimeInterval = 3600
    package var idToken: TimeInterval = 3600
    /// From one use to the next.
    package var refreshToken: TimeInterval = 90 * 86400
    /// How long the browser stays signed in.
    package var browserSession: TimeInterval = 43200

    package init() {}
}
