import Locks

/// The telemetry of one application's requests, while the process lives.
package final class TelemetryLog: Sendable {
    private let telemetry = Locked(RequestTelemetry())

    package init() {}

    package var snapshot: RequestTelemetry { telemetry.withLock { $0 } }

    package func note(_ change: (inout RequestTelemetry) -> Void) { telemetry.withLock { change(&$0) } }
}
