import Foundation

/// A sign-in or sign-out that waits for the user, as the error of a second one describes it.
package struct RunningSession: Sendable, Equatable {
    /// Where the user completes it.
    package enum Place: String, Sendable {
        case browser = "the browser"
        case paste = "the final URL"
        case broker = "the identity broker"
    }

    /// "sign-in" or "sign-out".
    package var purpose: String
    package var place: Place
    package var clientID: String
    package var host: String
    package var start: Date
    /// The longest time to wait, in seconds. `nil` without limit.
    package var limit: Double?

    package init(
        purpose: String, place: Place, clientID: String, host: String, start: Date, limit: Double?
    ) {
        self.purpose = purpose
        self.place = place
        self.clientID = clientID
        self.host = host
        self.start = start
        self.limit = limit
    }

    /// When it times out.
    var end: Date? { limit.map { start.addingTimeInterval($0) } }

    func description(at now: Date) -> String {
        "The \(purpose) of client \(clientID) at \(host) has been waiting for \(place.rawValue) for "
            + "\(WaitText.short(waited(at: now)))."
    }

    func nextStep(at now: Date) -> String {
        let end = limit.map { " It times out in \(WaitText.short($0 - waited(at: now)))." } ?? ""
        return "Complete it, or cancel it (cancelCurrentWebAuthSession).\(end)"
    }

    private func waited(at now: Date) -> Double { now.timeIntervalSince(start) }
}

/// The length of a wait in words, rounded down.
enum WaitText {
    /// "45 s" or "15 min".
    static func short(_ seconds: Double) -> String {
        isInMinutes(seconds) ? "\(Int(seconds / 60)) min" : "\(Int(max(seconds, 0))) s"
    }

    /// "45 seconds" or "15 minutes".
    static func long(_ seconds: Double) -> String {
        isInMinutes(seconds)
            ? "\(Int(seconds / 60)) minutes" : "\(seconds == 1 ? "1 second" : "\(Int(seconds)) seconds")"
    }

    private static func isInMinutes(_ seconds: Double) -> Bool { seconds >= 120 }
}
