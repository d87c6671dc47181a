import Foundation
import OAuthCore

/// Tells a flow's steps as they happen. Details are made here or in the flow, never from a response's body.
package struct FlowReporter: Sendable {
    private let time: any TimeSource
    private let handler: (@Sendable (MSALFlowEvent) -> Void)?

    package init(time: any TimeSource, handler: (@Sendable (MSALFlowEvent) -> Void)?) {
        self.time = time
        self.handler = handler
    }

    package func started(_ step: MSALFlowEvent.Step, _ detail: String, authorizationURL: URL? = nil) {
        tell(step, .started, detail, authorizationURL)
    }

    package func succeeded(_ step: MSALFlowEvent.Step, _ detail: String) {
        tell(step, .succeeded, detail, nil)
    }

    package func failed(_ step: MSALFlowEvent.Step, _ detail: String) {
        tell(step, .failed, detail, nil)
    }

    private func tell(
        _ step: MSALFlowEvent.Step, _ phase: MSALFlowEvent.Phase, _ detail: String, _ url: URL?
    ) {
        guard let handler else { return }
        handler(MSALFlowEvent(step: step, phase: phase, detail: detail, date: time.now(), authorizationURL: url))
    }
}
