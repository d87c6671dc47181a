import AuthEngine
import Foundation
import Tasks

/// The clock of this machine.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(seconds: Double) async throws { try await Tasks.sleep(for: .seconds(max(0, seconds))) }
}
