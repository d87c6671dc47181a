import Foundation

/// Where the engine gets the time, and where it waits.
package protocol TimeSource: Sendable {
    func now() -> Date

    /// Returns after `seconds`, or throws `CancellationError` when the task is cancelled.
    func sleep(seconds: Double) async throws
}
