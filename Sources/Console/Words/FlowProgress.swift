import AuthEngine
import Foundation

/// The steps of a running flow, those to come included, so that a person sees how far it has got.
package struct FlowProgress: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package enum State: Sendable, Equatable { case pending, running, succeeded, failed }

        package var step: MSALFlowEvent.Step
        package var state = State.pending
        package var startedAt: Date?
        package var endedAt: Date?
        package var detail = ""
        /// What happened while the step ran, such as requests on the listener that did not belong to the sign-in.
        package var remarks: [String] = []

        package init(_ step: MSALFlowEvent.Step) { self.step = step }

        /// Seconds it took, or has taken by `now`. Nil before it starts.
        package func duration(by now: Date?) -> TimeInterval? {
            guard let startedAt, let end = endedAt ?? now else { return nil }
            return max(0, end.timeIntervalSince(startedAt))
        }
    }

    package private(set) var steps: [Step]
    package private(set) var authorizationURL: URL?

    package init(expecting steps: [MSALFlowEvent.Step]) {
        self.steps = steps.map(Step.init)
    }

    /// An interactive sign-in, in the order it usually goes.
    package static let interactive = FlowProgress(expecting: [
        .findAuthority, .listen, .openBrowser, .waitForResponse, .redeemCode, .verifyIDToken, .saveTokens,
    ])

    /// A sign-in with an identity broker.
    package static let broker = FlowProgress(expecting: [.askBroker, .findAuthority, .verifyIDToken, .saveTokens])

    /// A sign-in with a device code.
    package static let deviceCode = FlowProgress(expecting: [
        .findAuthority, .showCode, .waitForCode, .verifyIDToken, .saveTokens,
    ])

    /// A silent acquisition says only what it does: most end after the first step.
    package static let silent = FlowProgress(expecting: [.readCache])

    package var current: Step? { steps.last { $0.state == .running } }

    package mutating func record(_ event: MSALFlowEvent) {
        authorizationURL = event.authorizationURL ?? authorizationURL
        let index = index(of: event.step)
        var step = steps[index]
        switch (event.phase, step.state) {
        case (.noted, _):
            if !event.detail.isEmpty { step.remarks.append(event.detail) }
        case (.started, _):
            step.state = .running
            step.startedAt = event.date
            step.endedAt = nil
            step.detail = event.detail
        case (.succeeded, _), (.failed, _):
            step.state = event.phase == .failed ? .failed : .succeeded
            step.startedAt = step.startedAt ?? event.date
            step.endedAt = event.date
            if !event.detail.isEmpty { step.detail = event.detail }
        }
        steps[index] = step
    }

    /// Where the step is listed; one that was not expected is put before the first that is still to come.
    private mutating func index(of step: MSALFlowEvent.Step) -> Int {
        if let index = steps.firstIndex(where: { $0.step == step }) { return index }
        let index = steps.firstIndex { $0.state == .pending } ?? steps.endIndex
        steps.insert(Step(step), at: index)
        return index
    }
}
