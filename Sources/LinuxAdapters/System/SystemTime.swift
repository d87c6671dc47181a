import AuthEngine
import Foundation
import Tasks

/// The clock of this machine.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(seconds: Double) async throws {
        // Limited to what `Duration` can represent, because a program may configure any number.
        try await Tasks.sleep(for: .seconds(min(max(0, seconds), 1e9)))
    }
}
