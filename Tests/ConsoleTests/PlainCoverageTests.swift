import Testing

@testable import Console

/// How line mode offers a command of the full screen.
private enum Counterpart {
    /// As one of the numbered choices, on each screen that has it.
    case choice
    /// As a question, or by another choice.
    case otherwise(String)
    /// Not offered, with the reason.
    case none(String)
}

/// One row for each command: a new command without a row fails a test.
private let counterparts: [CommandName: Counterpart] = {
    var table: [CommandName: Counterpart] = [:]
    func add(_ ids: CommandName..., as counterpart: Counterpart) { for id in ids { table[id] = counterpart } }
    add(
        "open", "signIn", "signInWithCode", "signInByPaste", "renew", "remove", "reload", "filter", "sort",
        "signInOptions",
        "submitForm", "nextTab", "details", "checks", "compare", "pasteToken", "check", "copy", "copyAddress",
        "saveCopy", "report",
        "inspect",
        "openExchange", "olderFlow", "newerFlow", "nextStep", "previousStep", "takeNextStep",
        "tryAgain",
        "signInInstead", "profiles", "tryDemo", "useProfile", "addProfile", "editProfile", "removeProfile",
        "makeDefault",
        "askAuthority", "startScenario", "callAPI", "redact", "review", "explainAnother",
        "explain", "diagram",
        "copyToken", "copyAsCommand", "flows", "openFlow", "confirm", "signOutInBrowser", "decline", "close",
        as: .choice)
    add(
        "act", "claims", "export", "answer", "walkCase", "beside", "doors", "closeDoor", "readDoors", "revokeTokens",
        "runAgain", "allowed", "takeBack", "heldRequest", "sendRequest", "sendOn", "sendAll", "editRequest",
        "chooseChange", as: .choice)
    add("step", as: .otherwise("keyturn step --plain."))
    add("undo", as: .otherwise("A numbered answer while something is changed."))
    add("changeValue", as: .otherwise("The value is asked for."))
    add("nextMessage", "previousMessage", "failure", as: .none("All messages are read out."))
    add("compareWith", as: .otherwise("The file is asked for."))
    add(
        "scenarios", "faults", "walkOn", "walkBack", "repeat",
        as: .otherwise("A numbered answer where there is a demonstration."))
    add("search", as: .none("All entries are read out."))
    add("save", "nextKind", as: .otherwise("The path is asked for, with the ending of its kind."))
    add(
        "pause", "nextArrow", "scrollDown", "scrollUp", "nextPane", "previousPane", "pane1", "pane2", "pane3", "pane4",
        as: .none("The whole flow is read out as sentences."))
    add("paste", "sendPaste", as: .otherwise("The address is asked for while a sign-in waits."))
    add("readToken", as: .otherwise("The token is asked for."))
    add("keepFilter", as: .otherwise("An answer to the filter's question keeps it."))
    add("chooseProvider", "chooseRow", "nextAnswer", "previousAnswer", as: .otherwise("The rows are numbered answers."))
    add("submit", "nextField", "previousField", as: .otherwise("The fields are asked for one after the other."))
    add("choose", "moveFocus", "moveFocusBack", as: .otherwise("A dialog's answers are numbered."))
    add(
        "firstTab", "secondTab", "thirdTab", "fourthTab", "fifthTab", "previousTab",
        as: .otherwise("The next token comes round."))
    add("offline", as: .otherwise("keyturn claims --token - --offline."))
    add("editFile", as: .none("The editor needs the whole terminal."))
    add("explainText", "sendCall", as: .otherwise("The text is asked for."))
    add("complete", as: .none("The terminal completes nothing in a line that it reads."))
    add("help", "palette", "runCommand", as: .otherwise("? reads all answers out, each with what it does."))
    add("back", as: .otherwise("q closes a screen, an empty line or a dot a question."))
    add("interrupt", as: .otherwise("Ctrl-C."))
    add("theme", "mouse", as: .none("Line mode has neither colours nor a mouse."))
    add(
        "up", "down", "pageUp", "pageDown", "halfPageUp", "halfPageDown", "first", "last", "detailsUp", "detailsDown",
        as: .none("All of a screen is read out, so there is nothing to move about in."))
    add("zoom", as: .none("All of a screen is read out."))
    add("mark", as: .none("Line mode signs out one account at a time."))
    add("changeToCode", "changeToBrowser", as: .otherwise("Offered while an API call waits for a sign-in."))
    add("codes", as: .none("All codes are read out."))
    add("allSteps", as: .none("Each step is read out when it begins."))
    add("copyURL", as: .otherwise("The URL is read out."))
    add("unfold", as: .none("What was ruled out and what is missing is read out."))
    add("reveal", as: .none("A secret would stay among the lines."))
    add("picture", as: .none("A drawing; the address that it holds is read out."))
    return table
}()

@Suite("Commands of the full screen in line mode")
struct PlainCoverageTests {
    @Test("Every command has a counterpart, or a reason", arguments: Set(allCommands.map(\.command.name)))
    func everyCommand(name: CommandName) throws {
        switch try #require(counterparts[name]) {
        case .choice: #expect(allCommands.contains { $0.command.name == name && $0.command.group != .moving })
        case .otherwise(let reason), .none(let reason): #expect(reason.hasSuffix("."))
        }
    }

    @Test func noCounterpartOfARemovedCommandIsLeft() {
        #expect(Set(counterparts.keys) == Set(allCommands.map(\.command.name)))
    }

    /// While a flow waits, line mode asks for a URL at most; other choices follow when the flow ends.
    private static let waiting: Set<Layer> = [.signIn, .silent, .signOut]

    @Test("Every screen has its numbered choices", arguments: Set(Layer.allCases).subtracting(waiting))
    func choices(focus: Layer) throws {
        let model = try #require(screenStates.first { $0.model.focus == focus }?.model, "no state shows it")
        let offered = Set(PlainConversation.commands(of: model))
        let expected = focus.commands.map(\.name).filter {
            if case .choice = counterparts[$0] { true } else { false }
        }
        #expect(Set(expected).isSubset(of: offered), "\(focus)")
    }
}
