import Diagnosis
import MSAL
import TerminalUI

/// A scenario as a guided walk: the steps, what each left, and the lesson.
package struct GuidedWalk: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package enum Action: Sendable, Equatable {
            case signIn(SignInMethod), acquireSilently, remove, wait(seconds: Double)
            /// Calls an API, and signs in by this method if the API requires it.
            case call(APITarget, by: SignInMethod)
            /// The user reads the explanation, with a diagram if there is one.
            case read(SequenceDiagram)
        }

        package enum Expectation: Sendable, Equatable {
            case success, token(isFromCache: Bool), failure(MSALError), anyFailure
            case status(Int)
        }

        package var action: Action
        /// The instruction, as a sentence without a full stop.
        package var instruction: String
        package var look, username: String
        package var scopes: [String]
        /// The path of another authority.
        package var segment: String?
        /// The path of the API that leads to authority and client, instead of those of the application.
        package var resource: String?
        package var claims: String?
        package var isForced: Bool
        /// The index of the requesting application among those that share the cache.
        package var application: Int
        package var expected: Expectation
        package var shownClaims: [String]
        /// Whether it shows an effect of the previous step that lasts only a few seconds.
        package var isUrgent: Bool
        /// The scopes that the user unticks on the consent page.
        package var unticked: [String] = []
        package var declines = false
        /// Whether another program sends a forged response to the listener first.
        package var isForged = false
        /// Whether a removal also revokes the refresh token at the authority.
        package var revokes = false
        /// How long the user takes to reach for the phone, while the device polls.
        package var hesitation = 0.0

        package var method: SignInMethod? {
            switch action {
            case .signIn(let method), .call(_, let method): method
            case .acquireSilently, .remove, .wait, .read: nil
            }
        }

        package init(
            _ action: Action, instruction: String, look: String, username: String, scopes: [String] = [],
            segment: String? = nil, resource: String? = nil, claims: String? = nil, isForced: Bool = false,
            application: Int = 0, expected: Expectation = .success, shownClaims: [String] = [], isUrgent: Bool = false
        ) {
            (self.action, self.instruction, self.look, self.username) = (action, instruction, look, username)
            (self.scopes, self.segment, self.resource, self.claims) = (scopes, segment, resource, claims)
            (self.isForced, self.application, self.expected) = (isForced, application, expected)
            (self.shownClaims, self.isUrgent) = (shownClaims, isUrgent)
        }
    }

    /// What a step did to the application.
    package struct Record: Sendable, Equatable {
        package enum Result: Sendable, Equatable {
            case token(Acquisition), responded(APIResponse), failed(Failure), done

            /// The status of the API's last response.
            var status: Int? { if case .responded(let response) = self { response.status } else { nil } }
        }

        /// The flow in ``FlowTraces``; nil if the step sends no request.
        package var flow: EffectID?
        /// Nil while the step runs, and after it was cancelled.
        package var result: Result?
        package var before: [AccountSummary]
        /// Nil until the accounts are read.
        package var after: [AccountSummary]?
        package var device: ShownDeviceCode?
        package var isScripted = false
    }

    /// The name to open the scenario by, to do its steps anew; nil for steps that can be repeated as they are.
    package var name: String?
    package var title, story: String
    package var steps: [Step]
    package var teaches: String
    package private(set) var done = 0
    package private(set) var running: EffectID?
    /// The number of steps that have begun since the scenario was opened, and may have changed the accounts.
    private var begun = 0
    package private(set) var obstacle: String?
    package private(set) var records: [Record] = []
    /// The earlier step that is shown; nil for the newest.
    private var earlier: Int?
    /// The playback of the newest step; nil if its flow is shown whole, because it played when the step was done.
    package var playback: Playback?
    /// Whether a scripted user signs in, instead of the user at the keyboard.
    package var isScripted = false
    var actor: String { isScripted ? "The scenario's user signs in." : "You sign in with your browser." }

    /// Whether it only shows one sign-in, which no scenario contains.
    package var isAdHoc = false
    /// Whether the user left its screen, so that other screens don't show it below.
    var isLeft = false

    package init(name: String? = nil, title: String, story: String, steps: [Step], teaches: String) {
        (self.name, self.title, self.story) = (name, title, story)
        (self.steps, self.teaches) = (steps, teaches)
    }

    init(of step: Step, title: String, teaches: String, isScripted: Bool) {
        self.init(title: title, story: "", steps: [step], teaches: teaches)
        (isAdHoc, self.isScripted) = (true, isScripted)
    }

    package var next: Step? { steps[at: done] }

    package var stop: String? { obstacle.map { isAdHoc ? $0 : "Step \(done + 1) had an unexpected outcome. \($0)" } }

    package var lesson: String { isAdHoc ? teaches : "Lesson: \(teaches)" }

    /// The next step or the lesson, as a sentence for line mode; nil if a step has to be repeated.
    package var outlook: String? {
        guard obstacle == nil else { return nil }
        return next.map { "Next, step \(done + 1) of \(steps.count): \($0.instruction)." } ?? lesson
    }

    package var last: Step? { steps[at: done - 1] }

    package var current: Int? { running == nil ? nil : done }

    /// The scenario's name if a step needs it opened again, because accounts and authority aren't as they were then.
    func reopening(for index: Int) -> String? { index < begun || steps[at: index]?.isUrgent == true ? name : nil }

    /// Returns to the state before a step, while the effect `id` restores it.
    mutating func rewind(_ id: EffectID, to index: Int) {
        (running, obstacle, earlier, playback) = (id, nil, nil, nil)
        (done, begun) = (index, max(begun, index + 1))
        records = Array(records.prefix(index))
    }

    mutating func begin(_ id: EffectID, step index: Int, hasFlow: Bool, accounts: [AccountSummary]) {
        rewind(id, to: index)
        begun = index + 1
        records.append(Record(flow: hasFlow ? id : nil, before: accounts, isScripted: isScripted))
        playback = Playback()
    }

    /// Ends the running step if `id` is its effect. After an unexpected outcome the step stays the next one, because
    /// the later steps depend on it.
    mutating func finish(_ id: EffectID, _ result: Record.Result) {
        guard running == id, records.indices.contains(done), let step = next else { return }
        running = nil
        records[done].result = result
        let failure: Failure? = if case .failed(let report) = result { report } else { nil }
        let isExpected =
            switch step.expected {
            case .success: failure == nil
            case .token(let wanted): if case .token(let got) = result { got.isFromCache == wanted } else { false }
            case .failure(let error): failure?.code == error.rawValue
            case .anyFailure: failure != nil
            case .status(let status): result.status == status
            }
        if isExpected {
            done += 1
        } else {
            obstacle =
                failure.map { isAdHoc && !$0.cause.isEmpty ? "\($0.headline) \($0.cause)" : $0.headline }
                ?? result.status.map { "The API returned HTTP \($0)." } ?? "An error was expected."
        }
    }

    mutating func act() {
        guard running != nil, let last = records.indices.last else { return }
        records[last].isScripted = true
    }

    mutating func show(_ code: ShownDeviceCode, for id: EffectID) {
        guard running == id, let last = records.indices.last, records[last].flow == id else { return }
        records[last].device = code
    }

    mutating func stop(_ id: EffectID) {
        guard running == id else { return }
        running = nil
        guard records.count > done else { return }
        records.removeLast()
        playback = nil
    }

    mutating func note(_ accounts: [AccountSummary]) {
        guard running == nil, let last = records.indices.last, records[last].after == nil else { return }
        records[last].after = accounts
    }

    /// The index of the shown step; nil before the first one.
    package var shown: Int? { records.isEmpty ? nil : min(earlier ?? records.count - 1, records.count - 1) }

    package var showsEarlier: Bool { earlier != nil }

    package var canShowEarlier: Bool { (shown ?? 0) > 0 }

    mutating func showEarlier() {
        guard let shown, shown > 0 else { return }
        earlier = shown - 1
    }

    mutating func showLater() {
        guard let shown = earlier else { return }
        earlier = shown + 1 < records.count - 1 ? shown + 1 : nil
    }

    enum Mark { case done, shown, running, pending }

    /// - Parameter place: the index of the step that the list points at.
    func mark(_ index: Int, at place: Int?) -> Mark {
        if index == current { return .running }
        return index == place ? .shown : index < done ? .done : .pending
    }

    package var shownRecord: Record? { records[at: shown] }
    package var shownStep: Step? { steps[at: shown] }
}

/// How much of the newest step's flow is shown. The flow itself runs at full speed.
package struct Playback: Sendable, Equatable {
    /// The number of arrows shown completely.
    package private(set) var arrows = 0
    /// The number of ticks since then.
    package private(set) var beat = 0
    package var isPaused = false

    package static let secondsPerBeat = 0.35

    /// The ticks that an arrow takes: long enough to read a page and to follow the filled fields.
    static func beats(of arrow: SequenceDiagram.Arrow, _ visits: [PageVisit]) -> Int {
        guard let visit = visits[at: arrow.page] else { return 2 }
        return arrow.message == .response ? 4 : visit.fields.count { $0.isFilled } * 2 + 3
    }

    mutating func tick(_ diagram: SequenceDiagram, _ visits: [PageVisit]) {
        guard let arrow = diagram.arrows[at: arrows] else { return }
        beat += 1
        if beat >= Self.beats(of: arrow, visits) { showNext(diagram) }
    }

    mutating func showNext(_ diagram: SequenceDiagram) {
        guard diagram.arrows.indices.contains(arrows) else { return }
        (arrows, beat) = (arrows + 1, 0)
    }

    mutating func showAll(_ diagram: SequenceDiagram) { (arrows, beat) = (diagram.arrows.count, 0) }
}

extension PageVisit.Field {
    var isFilled: Bool {
        switch kind {
        case .text, .password: !value.isEmpty && !isPrefilled
        case .checkbox(let isTicked): !isTicked
        }
    }
}

package struct ScenarioSummary: Sendable, Equatable {
    package var name, title, story: String

    package init(name: String, title: String, story: String) {
        (self.name, self.title, self.story) = (name, title, story)
    }
}
