import Foundation

/// Reports the steps of a flow. Details never come from the body of a response.
package struct FlowReporter: Sendable {
    package let log: EngineLog
    var handler: (@Sendable (MSALFlowEvent) -> Void)?

    package func started(
        _ step: MSALFlowEvent.Step, _ detail: String, authorizationURL: URL? = nil, redirectPort: Int? = nil
    ) {
        tell(step, .started, detail, authorizationURL, redirectPort)
    }

    package func noted(_ step: MSALFlowEvent.Step, _ detail: String, hasVisitor: Bool = false) {
        tell(step, .noted, detail, nil, hasVisitor: hasVisitor)
    }

    /// - Parameter hasVisitor: whether it came to the redirect URI.
    func ignoredResponse(_ explanation: String, hasVisitor: Bool = true) {
        tell(.waitForResponse, .noted, explanation, nil, isIgnoredResponse: true, hasVisitor: hasVisitor)
    }

    /// - Parameter name: the user's name in the detail, which the log masks.
    package func succeeded(_ step: MSALFlowEvent.Step, _ detail: String, naming name: String? = nil) {
        tell(step, .succeeded, detail, nil, naming: name)
    }

    package func failed(_ step: MSALFlowEvent.Step, _ detail: String) {
        tell(step, .failed, detail, nil)
    }

    private func tell(
        _ step: MSALFlowEvent.Step, _ phase: MSALFlowEvent.Phase, _ detail: String, _ url: URL?,
        _ redirectPort: Int? = nil, isIgnoredResponse: Bool = false, hasVisitor: Bool = false,
        naming name: String? = nil
    ) {
        switch phase {
        case .started: log.verbose("Step \(step) started: \(detail: detail, naming: name)")
        case .noted: log.verbose("Step \(step) continues: \(detail: detail, naming: name)")
        case .succeeded: log.verbose("Step \(step) done: \(detail: detail, naming: name)")
        case .failed: log.warning("Step \(step) failed: \(detail: detail, naming: name)")
        }
        guard let handler else { return }
        var event = MSALFlowEvent(step: step, phase: phase, detail: detail, date: log.time.now(), authorizationURL: url)
        event.isIgnoredResponse = isIgnoredResponse
        event.hasVisitor = hasVisitor
        event.redirectPort = redirectPort
        handler(event)
    }
}
