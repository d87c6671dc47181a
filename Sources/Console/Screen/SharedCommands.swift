import TerminalUI

/// Commands that several screens share.
extension ConsoleScreen {
    /// The command palette and the help, for layers without text input.
    /// - Parameter explains: whether the key for an explanation has its usual meaning.
    static func finding(explains: Bool = true) -> [Command] {
        let explain = Command(
            "explain", .verb(.explain), "Explain an error, URL, token, recording or log.", group: .everywhere
        ) { _, context in .open(context.pasted.map { .explanation(of: $0) } ?? .explain) }
        return (explains ? [explain] : []) + [
            Command("palette", .verb(.palette), "Search all commands.", group: .everywhere, inLines: .absent) { _, _ in
                .open(.palette)
            },
            help(.verb(.help) + [.function(1)]),
            Command("theme", [.alt("t")], "Change the colour theme.", group: .everywhere, inLines: .absent) {
                _, context in
                guard !context.options.noColor else {
                    context.notice = Notice(.quiet, "Colours are off (--no-color or NO_COLOR).")
                    return .none
                }
                context.options.display.theme = context.options.display.theme.next
                return context.display("Theme: \(context.options.display.theme.rawValue).")
            },
            Command("mouse", [.alt("m")], "Use or ignore the mouse.", group: .everywhere, inLines: .absent) {
                _, context in
                context.options.display.usesMouse.toggle()
                return context.display(
                    context.options.display.usesMouse
                        ? "Mouse on. Select text with Shift and the mouse." : "Mouse off.")
            },
        ]
    }

    static func help(_ keys: [Key]) -> Command {
        Command("help", keys, "Show the keys of this screen.", hint: "help", group: .everywhere, inLines: .absent) {
            _, _ in .open(.help)
        }
    }

    static func back(_ sentence: String, keys: [Key] = [.escape], hint: String? = nil) -> Command {
        Command("back", keys, sentence, hint: hint, group: .everywhere, inLines: .absent) { _, _ in .move(.back) }
    }

    static func close(_ sentence: String, hint: String? = nil) -> Command {
        Command("close", .verb(.close), sentence, hint: hint, group: .everywhere) { _, _ in .move(.quit) }
    }

    /// The commands that leave a screen which isn't the first one.
    /// - Parameter walks: whether the guided walk goes on from here.
    static func leaving(_ sentence: String = closingCancels, walks: Bool = true) -> [Command] {
        (walks ? [walkOn(isHinted: false)] : []) + [back("Go back.", hint: "back"), close(sentence), interrupt]
    }

    static var closingCancels: String { "Close this view and cancel any operation." }

    static var interrupt: Command { interrupt("Cancel, or quit when idle.") }

    static func interrupt(_ sentence: String) -> Command {
        Command("interrupt", [.control("c")], sentence, group: .everywhere, inLines: .absent) { _, _ in
            .move(.interrupt)
        }
    }

    static func profiles(hint: String? = nil) -> Command {
        Command("profiles", .verb(.profiles), "Choose, add, edit or remove a profile.", hint: hint) { _, _ in
            .open(.profiles)
        }
    }

    static var zoom: Command {
        Command(
            "zoom", .verb(.more), "Enlarge or restore the details or the selected pane.",
            hintNow: { $1.isZoomed ? "shrink" : nil }, inLines: .absent
        ) { _, context in
            context.isZoomed.toggle()
            return .none
        }
    }

    static var check: Command {
        Command("check", .verb(.check), "Check the set-up and show how to fix problems.", hint: "check") { _, _ in
            .open(.check)
        }
    }

    static var pasteToken: Command {
        Command("pasteToken", .verb(.readToken), "Paste a token to read it.") { _, _ in .open(.tokenEntry) }
    }

    static var offline: Command {
        Command(
            "offline", [.control("o")], "Fetch a token's keys online, or stay offline.", hint: "offline",
            inLines: .absent
        ) { _, context in
            context.isOffline.toggle()
            return .none
        }
    }

    static func report(hint: String? = nil) -> Command {
        Command("report", .verb(.export), "Export a support report without secrets or names.", hint: hint) { _, _ in
            .open(.export([.supportReport]))
        }
    }

    /// - Parameter isHinted: whether it has a hint in the status line, besides the one in the line of the walk. A call
    ///   or sign-in outside a scenario has one only on its own screen, which shows the walk.
    static func walkOn(
        isHinted: Bool = true, isOwnScreen: Bool = false, inLines lineUse: LineUse = .whenAvailable
    ) -> Command {
        Command(
            "walkOn", .verb(.nextStep) + (isOwnScreen ? [" ", .right, .pageDown] : []),
            "Play the scenario's next step, or show the rest of the current step.", hint: "next step",
            hintNow: { _, context in
                guard let walk = context.walk else { return nil }
                if context.showsPlayback { return isOwnScreen ? "show all" : "scenario" }
                return walk.isAdHoc || walk.stop != nil ? "retry" : nil
            },
            hintedIf: { isHinted && (isOwnScreen || $1.walk?.isAdHoc != true) }, inLines: lineUse,
            if: { $1.canWalkOn }
        ) { $1.walkOn() }
    }

    static func scenarios(hint: String? = nil) -> Command {
        Command(
            "scenarios", .verb(.scenarios), "Choose a demo scenario.", hint: hint, inLines: .whenAvailable,
            if: { $1.canChoose($1.profile?.scenarios, else: "Scenarios need the command keyturn demo.") }
        ) { _, context in .open(.scenarios(.scenarios, context)) }
    }

    static func faults(hint: String? = "faults") -> Command {
        Command(
            "faults", .verb(.faults), "Choose a fault of the authority, to see how the client reacts.",
            hint: hint, inLines: .whenAvailable,
            if: { $1.canChoose($1.profile?.faults, else: "Faults need the command keyturn demo.") }
        ) { _, context in .open(.scenarios(.faults, context)) }
    }

    static func flows(selecting shown: @escaping @Sendable (Self) -> EffectID?) -> Command {
        Command(
            "flows", .verb(.history), "List this session's flows: sign-ins, token requests and API calls.",
            if: { _, context in Availability(context.traces.newest != nil, else: "No flows yet.") }
        ) { screen, _ in .open(.flows(shown(screen))) }
    }

    static var step: Command {
        Command(
            "step", .verb(.step), "Hold each request of the flows that start now, or send them at once.",
            inLines: .absent
        ) { _, context in
            context.isStepping.toggle()
            context.notice = Notice(
                .quiet,
                context.isStepping
                    ? "Each request now waits for \(Verb.nextStep.label)." : "Requests are sent at once again.")
            return .none
        }
    }

    static func heldRequest(_ flow: @escaping @Sendable (Self) -> EffectID) -> Command {
        Command(
            "heldRequest", .verb(.step), "Show the request that is held.", hint: "held request",
            hintedIf: { $1.held[flow($0)]?.request != nil }, inLines: .whenAvailable,
            if: { Availability($1.held[flow($0)] != nil, else: "No request of this flow is held.") }
        ) { state, _ in .open(.step(flow(state))) }
    }
}

extension InspectableScreen {
    /// - Parameter goes: whether the flow runs on this screen.
    static func inspect(goes: Bool, hint: String? = nil) -> Command {
        Command(
            "inspect", .verb(.inspect),
            goes ? "Inspect the requests and responses so far." : "Inspect the requests and responses.", hint: hint,
            if: { Availability($0.inspectable($1) != nil, else: "No requests on this screen.") }
        ) { screen, context in
            guard let trace = screen.inspectable(context) else { return .none }
            // Select the latest step of a running flow.
            return .open(.inspector(trace.id, row: screen.activity == nil ? 0 : max(0, trace.rows.count - 1)))
        }
    }
}

extension CopyingScreen {
    /// - Parameter test: a faster test for whether there is a text.
    static func copy(
        _ sentence: String, _ verbs: Verb..., inLines lineUse: LineUse = .choice,
        if test: @escaping ScreenCommand<Self>.Test<Bool> = { $0.copyable($1) != nil }
    ) -> Command {
        Command(
            "copy", verbs.isEmpty ? .verb(.copy) : verbs.map(\.key), sentence, hint: "copy", inLines: lineUse,
            if: { Availability(test($0, $1), else: "Nothing to copy yet.") }
        ) { screen, context in
            screen.copyable(context).map { .start(context.work(.copy($0))) } ?? .none
        }
    }

    /// Saves the text that was copied last, or else the screen's, to a file, after a question.
    static func saveCopy(
        inLines lineUse: LineUse = .choice,
        if test: @escaping ScreenCommand<Self>.Test<Bool> = { $0.copyable($1) != nil }
    ) -> Command {
        Command(
            "saveCopy", .verb(.save), "Save that to a private file instead (asks first).", inLines: lineUse,
            if: { Availability($1.copied != nil || test($0, $1), else: "Nothing to copy yet.") }
        ) { screen, context in
            (context.copied ?? screen.copyable(context).map(Copied.text)).map { .open(.save($0)) } ?? .none
        }
    }
}
