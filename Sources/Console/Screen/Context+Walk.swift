import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The guided walk through a scenario, which continues on any screen.
extension Context {
    package var walk: GuidedWalk? {
        get { profile?.walk }
        set { profile?.walk = newValue }
    }

    private static let stillRunning = "The step is still running."
    private static let noScenario = "No scenario is running."

    var canWalkOn: Availability {
        guard let walk else { return .unavailable(Self.noScenario) }
        if walk.showsEarlier || isPlaying { return .available }
        if walk.running != nil { return .unavailable(Self.stillRunning) }
        return Availability(walk.next != nil, else: walk.isAdHoc ? Self.noScenario : "The scenario is complete.")
    }

    var canWalkBack: Availability { Availability(walk?.canShowEarlier == true, else: "No earlier step.") }

    var canRepeat: Availability {
        guard let walk, walk.shown != nil else { return .unavailable("No step has been done yet.") }
        return Availability(walk.running == nil, else: Self.stillRunning)
    }

    func walkGlyph(_ mark: GuidedWalk.Mark) -> String {
        switch mark {
        case .done: glyphs.check
        case .shown: glyphs.pointer
        case .running: spinnerFrame
        case .pending: glyphs.pending
        }
    }

    /// A step that still plays isn't marked as done yet, because that would give the result away.
    func walkMark(_ walk: GuidedWalk, _ index: Int, at place: Int?) -> GuidedWalk.Mark {
        let mark = walk.mark(index, at: place)
        return mark == .done && isPlaying && index == walk.records.count - 1 ? .pending : mark
    }

    /// All steps as marks: `✓✓▶○○`.
    func walkMarks(_ walk: GuidedWalk, at place: Int?) -> String {
        walk.steps.indices.map { walkGlyph(walkMark(walk, $0, at: place)) }.joined()
    }

    var isPlaying: Bool {
        guard let playback = walk?.playback, !options.noMotion, let diagram = newestDiagram else { return false }
        return playback.arrows < diagram.arrows.count
    }

    var showsPlayback: Bool { isPlaying && walk?.showsEarlier == false }

    var isStepInProgress: Bool { walk?.running != nil || showsPlayback }

    var isPaused: Bool { walk?.playback?.isPaused == true }

    var shownTrace: FlowTrace? { walk?.shownRecord?.flow.flatMap { traces[$0] } }

    private var newestTrace: FlowTrace? { walk?.records.last?.flow.flatMap { traces[$0] } }

    private var newestDiagram: SequenceDiagram? { walk.flatMap { diagram(ofStep: $0.records.count - 1) } }

    var shownDiagram: SequenceDiagram? { walk?.shown.flatMap { diagram(ofStep: $0) } }

    func diagram(ofStep index: Int) -> SequenceDiagram? {
        guard let walk, let record = walk.records[at: index] else { return nil }
        if case .read(let diagram) = walk.steps[index].action { return diagram }
        return record.flow.flatMap { traces[$0]?.diagram }
    }

    /// The number of arrows that are shown, and the ticks since the last one was completed.
    var shownArrows: (count: Int, beat: Int) {
        guard let walk, let diagram = shownDiagram else { return (0, 0) }
        guard let playback = walk.playback, !walk.showsEarlier, !options.noMotion else {
            return (diagram.arrows.count, 0)
        }
        return (min(playback.arrows, diagram.arrows.count), playback.beat)
    }

    var visibleArrows: Int { shownArrows.count + (shownArrows.beat > 0 ? 1 : 0) }

    mutating func tickWalk() {
        guard showsPlayback, !isPaused, let diagram = newestDiagram else { return }
        let visits = newestTrace?.visits ?? []
        walk?.playback?.tick(diagram, visits)
    }

    mutating func showNextArrow() {
        guard let diagram = newestDiagram else { return }
        walk?.playback?.isPaused = true
        walk?.playback?.showNext(diagram)
    }

    /// Ends the playback; returns false if nothing plays.
    mutating func showAllArrows() -> Bool {
        guard isPlaying, let diagram = newestDiagram else { return false }
        walk?.playback?.showAll(diagram)
        return true
    }

    /// Shows the rest of the newest step, or the step after an earlier one; otherwise does the next step.
    mutating func walkOn() -> Reaction {
        guard let walk else { return .none }
        if walk.showsEarlier {
            self.walk?.showLater()
            return .move(.home(.walk(walk.running)))
        }
        if showAllArrows() { return .move(.home(.walk(walk.running))) }
        return perform(step: walk.done)
    }

    mutating func walkBack() -> Reaction {
        walk?.showEarlier()
        return .move(.home(.walk(walk?.running)))
    }

    mutating func walkAgain() -> Reaction { walk?.shown.map { perform(step: $0) } ?? .none }

    private mutating func perform(step index: Int) -> Reaction {
        guard let walk, walk.running == nil, walk.steps.indices.contains(index) else { return .none }
        guard let name = walk.reopening(for: index) else { return begin(step: index, of: walk, accounts: accounts.all) }
        let id = makeEffectID()
        self.walk?.rewind(id, to: index)
        notice = index > 0 ? Notice(.quiet, "Doing the earlier steps again.") : nil
        return Reaction(move: .home(.walk(id)), effects: [.work(id, .openScenario(name, replaying: index))])
    }

    /// Does the step for which the scenario was opened again.
    mutating func perform(after outcome: Outcome<ProgramProfile>) -> Reaction {
        guard var walk, let id = walk.running else { return .none }
        walk.stop(id)
        self.walk = walk
        switch outcome {
        case .success(let opened):
            notice = nil
            profile = opened
            self.walk = walk
            return begin(step: walk.done, of: walk, accounts: walk.records.last?.after ?? [])
        case .failure(let report):
            notice = Notice(.warning, "\(report.reason) \(report.screenAdvice)")
            return .move(.home(.walk(nil)))
        }
    }

    private mutating func begin(step index: Int, of walk: GuidedWalk, accounts: [AccountSummary]) -> Reaction {
        let step = walk.steps[index]
        let id = beginFlow(step.hasFlow ? step.instruction : nil)
        self.walk?.begin(id, step: index, hasFlow: step.hasFlow, accounts: accounts)
        let work = Work.performStep(step, isScripted: walk.isScripted)
        switch step.action {
        case .read:
            self.walk?.finish(id, .done)
            self.walk?.note(accounts)
            return .move(.home(.walk(nil)))
        case .remove:
            self.accounts.removing = AccountsState.Removal(id: id, account: account(of: step))
            return Reaction(move: .home(.walk(nil)), effects: [.work(id, work)])
        case .signIn, .acquireSilently, .call, .wait:
            return Reaction(move: .home(.walk(id)), effects: [.work(id, work)])
        }
    }

    /// The account of a step. An account that isn't cached has only its username.
    private func account(of step: GuidedWalk.Step) -> AccountSummary {
        accounts.all.first { $0.username == step.username }
            ?? AccountSummary(identifier: "", username: step.username, environment: "")
    }

    func canAct(on page: URL?) -> Availability {
        guard profile?.isDemo == true else { return .unavailable("Only the demo has a user to sign in.") }
        return Availability(page != nil, else: "No URL yet.")
    }

    mutating func act(for id: EffectID, on page: URL, isCode: Bool = false) -> Effect {
        walk?.act()
        let step = walk?.isAdHoc == true ? nil : walk?.current
        return .act(makeEffectID(), for: id, page: page, step: step, isCode: isCode)
    }

    /// Continues a sign-in outside a scenario as a walk of one step, with the demo's user.
    mutating func watch(_ id: EffectID, _ request: SignInRequest, on page: URL) -> Effect {
        let user = profile?.user ?? ""
        let step = GuidedWalk.Step(
            .signIn(request.method), instruction: "Sign in as \(user)",
            look: "This sign-in isn't part of a scenario.", username: user, scopes: request.scopes)
        var walk = GuidedWalk(
            of: step, title: "Sign in", teaches: "For scenarios, press \(Verb.scenarios.label).", isScripted: true)
        walk.begin(id, step: 0, hasFlow: true, accounts: accounts.all)
        self.walk = walk
        return act(for: id, on: page, isCode: request.method == .device)
    }

    /// Starts the call of the walk again, with another sign-in method or what the user agreed to; nil if the walk isn't one.
    mutating func callAgain(by method: SignInMethod? = nil, agreeing agreement: MSALTokenAgreement? = nil) -> Reaction?
    {
        guard let walk, walk.isAdHoc, case .call(var target, let used) = walk.steps.first?.action else { return nil }
        target.agreement = agreement ?? target.agreement
        return call(target, by: method ?? used, isScripted: walk.isScripted)
    }

    /// What a call ended with: a question to the user, if only their yes lets it go on.
    func question(after outcome: Outcome<APIResponse>) -> Move {
        guard walk?.isAdHoc == true, case .failure(let report) = outcome, let agreement = report.agreement
        else { return .stay }
        return .open(.agreement(agreement))
    }

    /// Calls an API with a token of the selected account, as a walk of one step.
    mutating func call(_ target: APITarget, by chosen: SignInMethod? = nil, isScripted: Bool? = nil) -> Reaction {
        let account = accounts.selected
        var target = target
        target.account = account?.identifier
        let method = chosen ?? (preferredMethod == .broker ? .browser : preferredMethod)
        let step = GuidedWalk.Step(
            .call(target, by: method), instruction: "\(target.method) \(Printable.sanitize(target.address))",
            look: "This call isn't part of a scenario.", username: account?.username ?? "",
            scopes: profile?.scopes ?? [])
        walk = GuidedWalk(
            of: step, title: "Call an API", teaches: "'keyturn call URL' calls an API from the command line.",
            isScripted: isScripted
                ?? (profile?.isDemo == true && (account == nil || account?.username == profile?.user)))
        return perform(step: 0)
    }

    /// The scenario after the open one, which is complete; nil if there's none.
    var nextScenario: ScenarioSummary? {
        guard let walk, walk.next == nil, let list = profile?.scenarios,
            let place = list.firstIndex(where: { $0.name == walk.name })
        else { return nil }
        return list.dropFirst(place + 1).first
    }

    /// The sentence that another walk ends the open scenario; nil if none was begun.
    var endingNotice: String? {
        walk.flatMap { $0.isAdHoc || $0.shown == nil ? nil : "This ends the open scenario, \($0.title)." }
    }

    /// Whether another scenario can start: a running step must not go on beneath the list.
    func canChoose(_ list: [ScenarioSummary]?, else reason: String) -> Availability {
        guard walk?.running == nil else { return .unavailable(Self.stillRunning) }
        return Availability(list?.isEmpty == false, else: reason)
    }

    var canCall: Availability {
        guard profile != nil else { return .unavailable("No profile is open.") }
        return Availability(walk?.running == nil, else: Self.stillRunning)
    }

    /// The walk to show below a screen. A finished call or sign-in outside a scenario is shown only on its own screen.
    var walkBelow: GuidedWalk? {
        guard let walk, !walk.isAdHoc || profile?.isDemo == true && walk.running != nil else { return nil }
        return walk
    }

    /// Shows the code on the device of a scenario, whose user scans it wherever the page is.
    mutating func showDevice(_ shown: ShownDeviceCode, for id: EffectID) {
        let picture = shown.picture ?? QRCode(shown.code.page.absoluteString)
        walk?.show(ShownDeviceCode(code: shown.code, picture: picture), for: id)
    }
}

extension GuidedWalk.Step {
    var mayNeedUser: Bool {
        switch action {
        case .signIn, .call: true
        case .acquireSilently, .remove, .wait, .read: false
        }
    }

    var hasFlow: Bool {
        switch action {
        case .signIn, .acquireSilently, .call: true
        case .remove: revokes
        case .wait, .read: false
        }
    }
}
