import Diagnosis
import MSAL

/// A flow whose requests are held (`keyturn step`).
package struct HeldFlow: Sendable, Equatable {
    /// How far it goes by itself.
    package enum Run: Sendable, Equatable {
        case stopping
        /// Until a request of another kind, so that polling goes on.
        case past(Exchange.Role)
        case all
    }

    /// A request that was sent changed.
    package struct Trial: Sendable, Equatable {
        package var what: WhatIf
        /// The number of exchanges before it.
        var start: Int
    }

    /// The code that the user enters on another device meanwhile.
    var code: MSALDeviceCode?
    private var waiting: [MSALHeldRequest] = []
    private var run = Run.stopping
    /// The changes to the held request, each from one choice.
    package private(set) var changes: [WhatIf] = []
    package private(set) var trials: [Trial] = []

    /// The last request that was let go: not the request itself, which can reveal its secrets.
    private(set) var sent: [SequenceDiagram.Arrow] = []

    /// The request that waits for the user.
    package var request: MSALHeldRequest? { waiting.first }

    package var edits: [MSALRequestEdit] { changes.flatMap(\.edits) }

    /// Holds a request. Returns false if it goes on by itself.
    /// - Parameter recorded: the sign-in to walk with own values.
    mutating func hold(_ request: MSALHeldRequest, like recorded: RecordedSignIn? = nil) -> Bool {
        let isRunning =
            switch run {
            case .stopping: false
            case .past(let role): request.exchange.role == role
            case .all: true
            }
        // What was recorded waits for the user, too.
        let like = trials.isEmpty && changes.isEmpty ? recorded.flatMap { WhatIf(like: $0, in: request) } : nil
        guard request.problem != nil || like != nil || !isRunning else {
            note(request, [])
            return false
        }
        run = .stopping
        // The changes are still there to be undone.
        if request.problem != nil { changes = trials.popLast().map { [$0.what] } ?? [] }
        if let like { changes = [like] }
        waiting.append(request)
        return true
    }

    /// Releases the held request. Returns what to change in it.
    mutating func release(_ run: Run, after exchanges: Int) -> [MSALRequestEdit] {
        let edits = edits
        if let what = WhatIf(joining: changes) { trials.append(Trial(what: what, start: exchanges)) }
        if let request { note(request, edits) }
        (changes, self.run) = ([], run)
        waiting.removeFirst(min(1, waiting.count))
        return edits
    }

    private mutating func note(_ request: MSALHeldRequest, _ edits: [MSALRequestEdit]) {
        sent = SequenceDiagram.Arrow.requests(of: request.exchange, changing: edits)
    }

    var changed: String? { WhatIf(joining: trials.map(\.what))?.title }

    mutating func change(_ what: WhatIf) { changes.append(what) }
    mutating func undo() { _ = changes.popLast() }

    /// The changes that were sent, with what became of each so far.
    func findings(in trace: FlowTrace) -> [(what: WhatIf, finding: CheckFinding?)] {
        trials.map { trial in
            let ending: ChangedFlowEnding? =
                switch trace.ending {
                case .succeeded: .accepted
                case .failed(Failure.headlineOfChange): .accepted
                case .failed(let headline): .failed(headline)
                case .cancelled: .cancelled
                case nil: nil
                }
            let finding = trial.what.finding(
                Array(trace.exchanges.dropFirst(trial.start)), ending,
                isIgnored: trace.ignored.contains(where: \.hasVisitor),
                cameElsewhere: trace.ignored.contains { !$0.hasVisitor })
            return (trial.what, finding)
        }
    }
}
