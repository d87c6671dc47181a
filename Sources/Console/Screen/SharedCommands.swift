import TerminalUI

/// The commands that several screens have.
extension ConsoleScreen {
    /// Up and down, by whatever keys are free beside a text or in a form.
    static func upAndDown(
        _ up: [Key], _ down: [Key], hint: String? = nil, in layers: [Layer] = Array(Layer.allCases)
    ) -> [Command] {
        [
            motion("up", up, "One row up.", .up, in: layers),
            motion("down", down, "One row down.", hint: hint, .down, in: layers),
        ]
    }

    static func paging(in layers: [Layer] = Array(Layer.allCases)) -> [Command] {
        [
            motion("pageUp", [.pageUp], "One page up.", .pageUp, in: layers),
            motion("pageDown", [.pageDown], "One page down.", .pageDown, in: layers),
        ]
    }

    static func ends(in layers: [Layer] = Array(Layer.allCases)) -> [Command] {
        [
            motion("first", [.home, .character("g")], "To the first row.", .first, in: layers),
            motion("last", [.end, .character("G")], "To the last row.", .last, in: layers),
        ]
    }

    /// All ways to move through a list.
    static func moving(in layers: [Layer] = Array(Layer.allCases)) -> [Command] {
        upAndDown([.up, .character("k")], [.down, .character("j")], in: layers) + paging(in: layers) + [
            motion("halfPageUp", [.control("u")], "Half a page up.", .halfPageUp, in: layers),
            motion("halfPageDown", [.control("d")], "Half a page down.", .halfPageDown, in: layers),
        ] + ends(in: layers)
    }

    private static func motion(
        _ name: CommandName, _ keys: [Key], _ sentence: String, hint: String? = nil, _ motion: Motion,
        in layers: [Layer]
    ) -> Command {
        Command(name, keys, sentence, hint: hint, group: .moving, in: layers, inLines: .absent) { screen, context in
            screen.move(motion, &context)
            return .none
        }
    }

    /// The command list and the help, which are where no letters are typed.
    static func finding(in layers: [Layer] = Array(Layer.allCases)) -> [Command] {
        [
            Command(
                "palette", [.character(":")], "Find a command by what it does.", group: .everywhere, in: layers,
                inLines: .absent
            ) { _, _ in .open(.palette) },
            help([.character("?"), .function(1)], in: layers),
        ]
    }

    static func help(_ keys: [Key], in layers: [Layer] = Array(Layer.allCases)) -> Command {
        Command(
            "help", keys, "Show what the keys do here.", hint: "help", group: .everywhere, in: layers, inLines: .absent
        ) { _, _ in .open(.help) }
    }

    static func back(
        _ sentence: String, keys: [Key] = [.escape], hint: String? = nil, in layers: [Layer] = Array(Layer.allCases),
        inLines lineUse: LineUse = .absent
    ) -> Command {
        Command("back", keys, sentence, hint: hint, group: .everywhere, in: layers, inLines: lineUse) { _, _ in
            .move(.back)
        }
    }

    static func close(_ sentence: String, hint: String? = nil, in layers: [Layer] = Array(Layer.allCases)) -> Command {
        Command("close", [.character("q")], sentence, hint: hint, group: .everywhere, in: layers) { _, _ in
            .move(.quit)
        }
    }

    static var closingCancels: String { "Close this view; what runs is cancelled." }

    static var interrupt: Command {
        Command(
            "interrupt", [.control("c")], "Cancel what runs; if nothing does, end the program.", group: .everywhere,
            inLines: .absent
        ) { _, _ in .move(.interrupt) }
    }

    static func profiles(hint: String? = nil, in layers: [Layer] = Array(Layer.allCases)) -> Command {
        Command(
            "profiles", [.character("P")], "Choose, add, edit or remove a profile.", hint: hint, in: layers
        ) { _, _ in .open(.profiles) }
    }

    static func check(hint: String? = nil, in layers: [Layer] = Array(Layer.allCases)) -> Command {
        Command(
            "check", [.character("x")], "Check the set-up: what is right, what is not, and what to do about it.",
            hint: hint, in: layers
        ) { _, _ in .open(.check) }
    }

    static func pasteToken(in layers: [Layer] = Array(Layer.allCases)) -> Command {
        Command("pasteToken", [.character("t")], "Read a token from elsewhere: paste it.", in: layers) { _, _ in
            .open(.tokenEntry)
        }
    }

    static func report(hint: String? = nil) -> Command {
        Command(
            "report", [.character("s")],
            "Write a support report, without secrets and names, to a file that only you can read.", hint: hint
        ) { _, context in .start(context.writeReport()) }
    }

    static func walkOn(in layers: [Layer] = Array(Layer.allCases)) -> Command {
        Command(
            "walkOn", WalkView.walkOn, "Do the next step of the scenario's walk.", hint: "next step", in: layers,
            inLines: .whenAvailable, if: { _, context in context.canWalkOn }
        ) { _, context in context.walkOn() }
    }

    /// - Parameter goes: whether the flow runs on this screen.
    static func inspect(goes: Bool, hint: String? = nil, in layers: [Layer] = Array(Layer.allCases)) -> Command {
        Command(
            "inspect", WalkView.inspect,
            goes ? "Show what goes over the wire, step by step." : "Show what went over the wire, step by step.",
            hint: hint, in: layers,
            if: { screen, context in
                Availability(screen.inspectable(context) != nil, else: "Nothing was sent for this screen.")
            }
        ) { screen, context in
            guard let trace = screen.inspectable(context) else { return .none }
            // Of a flow that runs, what happened last.
            return .open(.inspector(trace.id, row: screen.running == nil ? 0 : max(0, trace.rows.count - 1)))
        }
    }

    /// Copies what the screen shows to be taken along.
    /// - Parameter test: whether there is something, where finding it takes long.
    static func copy(
        _ sentence: String, in layers: [Layer] = Array(Layer.allCases), inLines lineUse: LineUse = .choice,
        if test: @escaping ScreenCommand<Self>.Test<Bool> = { $0.copyable($1) != nil }
    ) -> Command {
        Command(
            "copy", [.character("y")], sentence, hint: "copy", in: layers, inLines: lineUse,
            if: { Availability(test($0, $1), else: "Nothing to copy yet.") }
        ) { screen, context in
            screen.copyable(context).map { .start(.copy(context.makeEffectID(), $0)) } ?? .none
        }
    }

    /// The same, to a file.
    static func saveCopy(
        in layers: [Layer] = Array(Layer.allCases), inLines lineUse: LineUse = .choice,
        if test: @escaping ScreenCommand<Self>.Test<Bool> = { $0.copyable($1) != nil }
    ) -> Command {
        Command(
            "saveCopy", [.character("Y")], "Write the same to a file that only you can read.", in: layers,
            inLines: lineUse, if: { Availability(test($0, $1), else: "Nothing to copy yet.") }
        ) { screen, context in
            screen.copyable(context).map { .start(.save(context.makeEffectID(), $0)) } ?? .none
        }
    }
}
