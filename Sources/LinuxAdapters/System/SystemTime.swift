import AuthEngine
import Foundation
import Tasks

/// The clock of this machine.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(seconds: Double) async throws {
        // A program may configure any number; `Duration` cannot hold them all.
        try await Tasks.sleep(for: .seconds(min(max(0, seconds), 1e9)))
    }
}
