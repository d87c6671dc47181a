import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// A scenario, step by step: its flow as a diagram, the pages that the user sees, and the application's accounts.
package struct WalkState: MovingScreen, PlayingScreen, TabbedScreen, SigningInScreen, WorkingScreen {
    package enum Pane: String, Sendable, CaseIterable {
        case flow = "Flow", user = "User", app = "App", steps = "Steps"
    }

    static var howToOpen: String { "Choose a scenario with \(Verb.scenarios.label)." }
    package enum Layer: String, KeyLayer { case all = "Scenario", pasting = "Paste into the scenario" }

    package var layer: Layer { line.takesKeys ? .pasting : .all }

    /// The pane of a small window; in a wide one, the pane that scrolls.
    package var pane = Pane.flow { didSet { offset = 0 } }
    /// The first line of that pane, or of the text below the flow.
    package var offset = 0
    /// The selected arrow; nil for the newest one.
    package var selection: Int? { didSet { if pane == .flow { offset = 0 } } }
    package var running: EffectID?
    package var deviceCode: ShownDeviceCode?
    var line = PasteLine()

    package init(running: EffectID?) { self.running = running }

    var flow: EffectID? { running }

    func title(_ context: Context) -> String { context.walk?.title ?? Layer.all.rawValue }

    func place(_ context: Context) -> String {
        guard let walk = context.walk, let shown = walk.shown else { return "" }
        let state = walk.showsEarlier ? "earlier" : context.isPaused && context.isPlaying ? "paused" : nil
        let place = StatusPlace.text(shown, of: walk.steps.count)
        return state.map { "\(place), \($0)" } ?? place
    }

    func pace(_ context: Context) -> Pace {
        if context.showsPlayback { return context.isPaused ? .still : .walking }
        return running == nil ? .still : context.runningPace
    }

    mutating func tick(_ context: inout Context) { context.tickWalk() }

    func inspectable(_ context: Context) -> FlowTrace? { context.shownTrace }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        if let pending = pending(context) { return pending.draw(on: &surface, in: rect, context) }
        WalkBody(self, context).draw(on: &surface, in: rect)
    }

    func selectedArrow(_ context: Context) -> Int? {
        let count = context.visibleArrows
        return count == 0 ? nil : min(selection ?? count - 1, count - 1)
    }

    func key(at point: Point, _ context: Context) -> Key? { WalkBody(self, context).key(at: point) }

    func extent(_ context: Context) -> Extent? {
        guard let selected = selectedArrow(context) else { return nil }
        let body = WalkBody(self, context)
        return Extent(position: selected, last: context.visibleArrows - 1, page: body.pageHeight, shown: body.shownList)
    }

    mutating func go(to position: Int, _ context: inout Context) {
        guard selectedArrow(context) != nil else { return }
        selection = position
        if context.showsPlayback { context.walk?.playback?.isPaused = true }
    }

    /// The exchange of the selected arrow, as a row of the inspector, and the first parameter that the arrow carries.
    private func selectedExchange(_ context: Context) -> (row: Int, parameter: Int)? {
        guard let index = selectedArrow(context), let arrow = context.shownDiagram?.arrows[index],
            let number = arrow.exchange, let rows = context.shownTrace?.rows,
            let row = rows.firstIndex(where: { $0.exchange?.number == number }), let exchange = rows[row].exchange
        else { return nil }
        let isResponse = arrow.message == .response
        let parameter = ParameterList(exchange).all.firstIndex { $0.place.isOfResponse == isResponse }
        return (row, parameter ?? 0)
    }

    private static func hasParameters(_ state: WalkState, _ context: Context) -> Availability {
        Availability(
            state.selectedExchange(context) != nil,
            else: state.selectedArrow(context) != nil
                ? "This message has no parameters."
                : context.shownDiagram?.arrows.isEmpty == true
                    ? "This step sends no request." : "No message is shown yet.")
    }

    private static func acquisition(_ context: Context) -> (Acquisition, EffectID)? {
        guard let record = context.walk?.shownRecord, let flow = record.flow,
            case .token(let acquisition) = record.result
        else { return nil }
        return (acquisition, flow)
    }

    /// A step with an error may have cached tokens.
    private static func noClaims(_ context: Context) -> String {
        guard let record = context.walk?.shownRecord else { return "No step has been done yet." }
        return switch record.result {
        case .failed: "The step returned an error."
        case .responded:
            "An API response has no claims. To see the token's claims, open the account in the list of accounts."
        case .done, .token, nil: "The step returned no token."
        }
    }

    func waitingPage(_ context: Context) -> URL? {
        // While earlier steps are repeated, the shown trace is an old one.
        guard running != nil, context.walk?.isScripted == false, let trace = context.shownTrace, trace.ending == nil
        else { return nil }
        return deviceCode?.code.page ?? trace.progress.authorizationURL
    }

    static let commands: [Command] = (signingIn + playing).only(in: .all) + pasting

    private static let playing: [Command] =
        [
            walkOn(isOwnScreen: true, inLines: .choice),
            Command(
                "walkBack", .verb(.previousStep) + [.left, .pageUp], "Show the previous step.", hint: "back",
                if: { $1.canWalkBack }
            ) { $1.walkBack() },
            scroll("scrollDown", "J", "Scroll the pane down, or the text below the diagram.", hint: "more", by: 5),
            Command(
                "openExchange", [.enter], "Show the selected request's parameters and their meanings.",
                hint: "parameters", inLines: .someRows, if: hasParameters
            ) { state, context in
                guard let (row, parameter) = state.selectedExchange(context), let trace = context.shownTrace
                else { return .none }
                return .open(.exchange(trace.id, row: row, parameter: parameter))
            },
            Command(
                "nextArrow", [.character("l")], "Show the next arrow and pause.", inLines: .absent,
                if: { Availability($1.showsPlayback, else: "All arrows are shown.") }
            ) { state, context in
                state.selection = nil
                context.showNextArrow()
                return .none
            },
            Command(
                "act", .verb(.demoUser), "Choose who signs in: the scenario's user, or you.", hint: "who signs in",
                if: { Availability($1.profile?.isDemo == true, else: "Only the demo has a user to sign in.") }
            ) { $0.changeActor(&$1) },
            Command(
                "repeat", .verb(.again), "Repeat the shown step.", hint: "again", if: { $1.canRepeat }
            ) { $1.walkAgain() },
            Command(
                "claims", .verb(.readToken), "Show the claims and checks of the step's token.", hint: "claims",
                if: { Availability(acquisition($1) != nil, else: noClaims($1)) }
            ) { _, context in acquisition(context).map { .open(.claims($0, $1, isRefresh: false)) } ?? .none },
            Command(
                "export", .verb(.export), "Export the diagram: SVG, Mermaid or a handout in HTML.", hint: "export",
                if: { Availability($1.walk?.shown != nil, else: "Nothing to export yet.") }
            ) { _, context in .open(.export(Handout(context)?.exports ?? [])) },
            faults(), scenarios(), zoom,
            Command(
                "nextPane", [.tab], "Show the next pane.", hint: "pane", inLines: .absent, if: hasPanes,
                do: changing { $0.pane = Pane.allCases.next(after: $0.pane) ?? .flow }),
            Command(
                "previousPane", [.backTab], "Show the previous pane.", inLines: .absent, if: hasPanes,
                do: changing { $0.pane = Pane.allCases.next(after: $0.pane, by: -1) ?? .flow }),
            scroll("scrollUp", "K", "Scroll the pane up, or the text below the diagram.", by: -5),
            pane(.flow, "1"), pane(.user, "2"), pane(.app, "3"), pane(.steps, "4"),
            inspect(goes: true), copy("Copy the device code, or else the sign-in URL."), saveCopy(),
        ] + moving(pages: false) + finding() + [
            Command(
                "back", [.escape], "Restore the pane, or leave at the second press; a running step is cancelled.",
                group: .everywhere, inLines: .absent
            ) { state, context in
                if context.isZoomed, state.pending(context) == nil {
                    context.isZoomed = false
                    return .none
                }
                if context.offersLeave > 0 || context.walk?.isAdHoc == true { return .move(.leave) }
                // This key and the next one.
                context.offersLeave = 2
                context.notice = Notice(.quiet, "Press Esc again to leave the scenario.")
                return .none
            },
            close("Leave; a running step is cancelled.", hint: "leave"),
        ]

    /// A sign-in that waits for the user has the whole window.
    private static func hasPanes(_ state: WalkState, _ context: Context) -> Availability {
        Availability(state.pending(context) == nil, else: "The panes return when the sign-in has ended.")
    }

    private static func pane(_ pane: Pane, _ key: Character) -> Command {
        Command(
            CommandName(stringLiteral: "pane\(key)"), [.character(key)], "Show the \(pane.rawValue) pane.",
            inLines: .absent, if: hasPanes, do: changing { $0.pane = pane })
    }

    private static func scroll(
        _ name: CommandName, _ key: Character, _ sentence: String, hint: String? = nil, by lines: Int
    ) -> Command {
        Command(
            name, [.character(key)], sentence, hint: hint,
            hintedIf: { $0.offset < WalkBody($0, $1).lastOffset }, inLines: .absent, if: hasPanes
        ) { state, context in
            state.offset = max(0, min(state.offset + lines, WalkBody(state, context).lastOffset))
            return .none
        }
    }

    private mutating func changeActor(_ context: inout Context) -> Reaction {
        let page = waitingPage(context)
        context.walk?.isScripted.toggle()
        guard let running, let page else {
            let start = context.isStepInProgress ? "From the next step on: " : ""
            context.notice = context.walk.map { Notice(.quiet, start + $0.actor) }
            return .none
        }
        return .start(context.act(for: running, on: page, isCode: deviceCode != nil))
    }

    mutating func follow(_ progress: Progress, _ context: inout Context) -> Reaction {
        guard let running else { return .none }
        note(progress)
        let isScripted = context.walk?.isScripted == true
        if isScripted, case .event(let event) = progress, let page = event.authorizationURL {
            return .start(context.act(for: running, on: page))
        }
        if case .deviceCode(let shown) = progress {
            context.showDevice(shown, for: running)
            if isScripted { return .start(context.act(for: running, on: shown.code.page, isCode: true)) }
        }
        // The user closes a page that leads nowhere.
        if case .stuck = progress { return .start(.cancel(running)) }
        return .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .scenarioOpened(let outcome) = result { return context.perform(after: outcome) }
        (deviceCode, line) = (nil, PasteLine())
        let reading = [context.readAccounts()]
        guard case .called(let outcome) = result else { return Reaction(effects: reading) }
        return Reaction(move: context.question(after: outcome), effects: reading)
    }

    func isBusy(_ context: Context) -> Bool { running != nil || context.accounts.isBusy }

    func lines(_ context: Context) -> [String] { WalkLines(context).all }

    func rowLabels(_ context: Context) -> [String] { context.shownDiagram?.arrows.map(\.sentence) ?? [] }

    func question(_ context: Context) -> LineQuestion? {
        guard deviceCode == nil, waitingPage(context) != nil else { return nil }
        return LineQuestion(
            prompt: "Paste the final URL, a to let the scenario's user sign in, or q to cancel", isSecret: true,
            isOptional: true, isDelivered: true)
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        switch text {
        case "q": .move(.back)
        case "a": changeActor(&context)
        case "": .none
        default: paste(text, &context)
        }
    }

    func isTold(_ context: Context) -> Bool { context.walk?.isScripted == false }
}

extension Destination {
    static func walk(_ running: EffectID?) -> Destination {
        Destination { context in
            context.walk?.isLeft = false
            return Opening(WalkState(running: running))
        }
    }
}

/// A step that waits for the user at the keyboard: shown as on the sign-in's own screen, with the same keys.
extension WalkState {
    func pending(_ context: Context) -> PendingSignIn? {
        guard waitingPage(context) != nil, let trace = context.shownTrace, let walk = context.walk else { return nil }
        let method = walk.current.flatMap { walk.steps[$0].method } ?? .browser
        return PendingSignIn(
            progress: trace.progress, method: deviceCode == nil ? method : .device, deviceCode: deviceCode, paste: line,
            offersMethods: walk.isAdHoc)
    }

    static let signingIn = otherMethods(inLines: .whenAvailable) { _ in "No sign-in waits for a URL." }

    static let pasting: [Command] =
        [sendPaste, stopPasting].only(in: .pasting)
        + [interrupt("Cancel, show the rest of the step, or quit when idle.")]

    func canChange(to method: SignInMethod, _ context: Context) -> Availability {
        guard let pending = pending(context) else { return .unavailable("No sign-in waits for you.") }
        guard context.walk?.isAdHoc == true, pending.method != method else {
            return .unavailable("The step uses this method.")
        }
        return context.proposal.obstacle(to: method).map(Availability.unavailable) ?? .available
    }

    func change(to method: SignInMethod, _ context: inout Context) -> Reaction {
        guard let running, var reaction = context.callAgain(by: method) else { return .none }
        reaction.effects.insert(context.cancel(running), at: 0)
        return reaction
    }
}
