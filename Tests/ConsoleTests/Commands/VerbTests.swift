import TerminalUI
import Testing

@testable import Console

/// A letter does the same on every screen.
@Suite struct VerbTests {
    /// Movements, and the letters that scroll details.
    private static let movements = Set("hjklgGJK")
    /// The only letters that mean something else in a question.
    private static let answers: Set = ["confirm", "decline"]

    @Test("Every letter and sign of a screen has one verb")
    func verbs() {
        for table in KeyTable.all {
            for command in table.commands {
                for case .character(let letter) in command.keys where letter != " " && !letter.isNumber {
                    let isKnown =
                        Verb(rawValue: letter) != nil || Self.movements.contains(letter) || "[]".contains(letter)
                    #expect(isKnown, "\(letter) in \(table.title): \(command.sentence)")
                }
            }
        }
    }

    /// The commands of each verb. A new name here means that the letter has a new meaning; see the verb's words.
    private static let names: [Verb: Set<String>] = [
        .call: ["callAPI"], .ticket: ["answer"], .previousStep: ["walkBack", "previousMessage"],
        .copy: ["copy", "copyToken"],
        .copyAsCommand: ["copyAsCommand"],
        .details: ["details", "codes", "unfold", "allSteps"], .allowed: ["allowed"],
        .remove: ["remove", "removeProfile", "closeDoor", "takeBack"],
        .explain: ["explain", "explainAnother"],
        .edit: ["editProfile", "editFile", "review", "editRequest"], .inspect: ["inspect", "openFlow", "diagram"],
        .faults: ["faults"],
        .history: ["flows"],
        .signIn: ["signIn", "signInInstead", "changeToBrowser"],
        .deviceCode: ["signInWithCode", "changeToCode"], .nextStep: ["walkOn", "nextMessage", "sendRequest"],
        .options: ["signInOptions"], .doors: ["doors"], .paste: ["signInByPaste", "paste"], .profiles: ["profiles"],
        .close: ["close", "back"], .again: ["reload", "check", "tryAgain", "repeat", "readDoors", "runAgain"],
        .refresh: ["renew"],
        .sort: ["sort"], .secret: ["reveal"], .readToken: ["pasteToken", "claims"], .demoUser: ["act"],
        .check: ["check", "checks"], .revoke: ["revokeTokens"], .browserToo: ["signOutInBrowser"],
        .undo: ["undo"], .step: ["step", "heldRequest"],
        .scenarios: ["scenarios", "tryDemo", "walkCase"],
        .export: ["export", "report", "redact"],
        .copyValue: ["copy", "copyAddress"], .save: ["saveCopy"], .picture: ["picture"], .more: ["addProfile", "zoom"],
        .makeDefault: ["makeDefault"], .compare: ["compare", "beside"], .search: ["filter", "search"],
        .palette: ["palette"],
        .help: ["help", "back"],
    ]

    @Test("Each verb stands for these commands", arguments: Verb.allCases)
    func commands(of verb: Verb) {
        let commands = KeyTable.all.flatMap(\.commands).filter { $0.keys.contains(verb.key) }
        #expect(Set(commands.map(\.name.text)).subtracting(Self.answers) == Self.names[verb])
    }

    @Test("In every question, y is yes, n is no and Esc cancels")
    func answers() {
        let questions = allScreens.filter { $0 is any Question.Type }.flatMap { $0.keyLayers }
        #expect(questions.count == 9)
        for table in questions {
            let keys = table.commands.filter { Self.answers.contains($0.name.text) }.map(\.keys)
            #expect(keys == [["y"], ["n", .escape, "q"]], "\(table.title)")
        }
    }

    @Test("A letter without a command says what it does elsewhere")
    func elsewhere() {
        let notice = after(listing([alice]), keys: .character("z")).notice
        #expect(notice?.text == "z (show the QR code alone) has no effect here. Press ? for help.")
    }

    @Test("At 80 columns, Claims hints at six verbs or more, and Accounts at twelve, the token's copy among them")
    func hints() {
        for (model, copy, rows, least) in [
            (listing([alice, bob]), "c copy token", 2, 13), (showingClaims(), "c copy access token", 1, 7),
            (listing([alice], demoProfile), "c copy token", 2, 12),
        ] {
            let lines = view(model, standardSize).text.split(separator: "\n").suffix(rows).joined(separator: "  ")
            #expect(lines.contains(copy), "\(lines)")
            #expect(lines.split(separator: #/ {2,}/#).count >= least, "\(lines)")
        }
        #expect(view(noticing(), standardSize).text.contains("c copy token"))
    }

    @Test("The selected account's actions are also clickable, below the list and beside it", arguments: [80, 120])
    func actions(width: Int) throws {
        let model = listing([alice, bob], size: Size(width: width, height: 24))
        let lines = view(model, model.context.size).lines
        let y = try #require(lines.firstIndex { $0.contains("R ") && $0.contains("refresh") })
        let place = try #require(lines[y].firstRange(of: "refresh")).lowerBound
        let x = lines[y].distance(from: lines[y].startIndex, to: place)
        var clicked = model
        let effects = update(&clicked, .input(.mouse(MouseEvent(.press, at: Point(x: x, y: y)))))
        var pressed = model
        #expect(effects == update(&pressed, .input(.key("R"))) && clicked == pressed)
    }

    private func noticing() -> Model {
        var model = listing([alice])
        model.notice = Notice(.success, String(repeating: "A long message. ", count: 5))
        return model
    }

    @Test("A scenario is left only by a second Esc")
    func leaving() {
        let playing = playing()
        let once = after(playing, keys: .escape)
        #expect(once.layer == "Scenario" && once.notice?.text == "Press Esc again to leave the scenario.")
        #expect(after(once, keys: .down, .escape).layer == "Scenario")
        let left = after(once, keys: .escape)
        #expect(left.layer == "Accounts")
        // Nothing of the scenario is below a list that it isn't about.
        #expect(!view(left, standardSize).text.contains("step"))
        #expect(view(left, standardSize).text.split(separator: "\n").last?.contains("b back") == true)
        // A call belongs to no scenario.
        var call = after(after(listing([alice]), keys: "a"), .input(.paste("https://api.contoso.example/me")))
        _ = update(&call, .input(.key(.enter)))
        #expect(after(call, keys: .escape).layer == "Accounts")
    }
}
