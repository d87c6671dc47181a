import AuthEngine
import Foundation

/// The clock of this machine.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(max(0, seconds))) }
}
