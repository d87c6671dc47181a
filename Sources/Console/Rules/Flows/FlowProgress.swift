import Diagnosis
import Foundation
import MSAL
import TerminalUI

package struct FlowProgress: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package enum State: Sendable, Equatable { case pending, running, succeeded, failed }

        package var step: MSALFlowEvent.Step
        package var state = State.pending
        package var startedAt, endedAt: Date?
        package var detail = ""
        /// Notes on the step, for example about requests to the listener from another sign-in.
        package var remarks: [String] = []

        package init(_ step: MSALFlowEvent.Step) { self.step = step }

        /// The duration in seconds, so far if the step is running. Nil for a pending step, or without a known end.
        package func duration(by now: Date?) -> TimeInterval? {
            guard let startedAt, let finish = endedAt ?? (state == .running ? now : nil) else { return nil }
            return max(0, finish.timeIntervalSince(startedAt))
        }
    }

    package private(set) var steps: [Step]
    package private(set) var authorizationURL: URL?
    package private(set) var redirectPort: Int?
    /// Whether a browser has come to the redirect URI, so that the authority accepts it.
    package private(set) var hasVisitor = false

    package init(expecting steps: [MSALFlowEvent.Step]) { self.steps = steps.map(Step.init) }

    // The expected steps of each flow. Most silent requests end after the first one.
    package static let interactive = FlowProgress(expecting: [
        .findAuthority, .listen, .openBrowser, .waitForResponse, .redeemCode, .verifyIDToken, .saveTokens,
    ])
    package static let broker = FlowProgress(expecting: [.callBroker, .findAuthority, .verifyIDToken, .saveTokens])
    package static let deviceCode = FlowProgress(expecting: [
        .findAuthority, .showCode, .waitForCode, .verifyIDToken, .saveTokens,
    ])
    package static let silent = FlowProgress(expecting: [.readCache])
    package static let signOut = FlowProgress(expecting: [.findAuthority, .listen, .openBrowser, .waitForResponse])

    package var current: Step? { steps.last { $0.state == .running } }

    package mutating func record(_ event: MSALFlowEvent) {
        authorizationURL = event.authorizationURL ?? authorizationURL
        redirectPort = event.redirectPort ?? redirectPort
        hasVisitor = hasVisitor || event.hasVisitor
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

    /// The index of a step. An unexpected step is inserted before the first pending one.
    private mutating func index(of step: MSALFlowEvent.Step) -> Int {
        if let index = steps.firstIndex(where: { $0.step == step }) { return index }
        let index = steps.firstIndex { $0.state == .pending } ?? steps.endIndex
        steps.insert(Step(step), at: index)
        return index
    }
}

/// A device code, with its address as a QR code if one can be made.
package struct ShownDeviceCode: Sendable, Equatable {
    package var code: MSALDeviceCode
    package var picture: QRCode?
}

extension MSALFlowEvent.Step {
    func title(by method: SignInMethod) -> String {
        let pasting: [Self: String] = [.openBrowser: "Show the sign-in URL", .waitForResponse: "Wait for the paste"]
        return method == .paste ? pasting[self] ?? title : title
    }
}

extension QRCode {
    /// The QR code of a page; nil for a page on this computer, which another device can't open.
    package init?(page: URL) {
        guard !TypedAuthority(page.absoluteString).isThisComputer else { return nil }
        self.init(page.absoluteString)
    }
}

extension MSALDeviceCode {
    /// The page where the user enters the code, which it contains if the authority offers that.
    var page: URL { verificationURLComplete ?? verificationURL }
}
