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
        .details: ["details", "codes", "unfold"], .allowed: ["allowed"],
        .remove: ["remove", "removeProfile", "closeDoor", "takeBack"],
        .explain: ["explain", "explainAnother"],
        .edit: ["editProfile", "editFile", "review"], .inspect: ["inspect", "openFlow", "diagram"], .faults: ["faults"],
        .history: ["flows"],
        .signIn: ["signIn", "signInInstead", "changeToBrowser"],
        .deviceCode: ["signInWithCode", "changeToCode"], .nextStep: ["walkOn", "nextMessage"],
        .options: ["signInOptions"], .doors: ["doors"], .paste: ["signInByPaste", "paste"], .profiles: ["profiles"],
        .close: ["close", "back"], .again: ["reload", "check", "tryAgain", "repeat", "readDoors"], .refresh: ["renew"],
        .sort: ["sort"], .secret: ["reveal"], .readToken: ["pasteToken", "claims"], .demoUser: ["act"],
        .check: ["check", "checks"], .revoke: ["revokeTokens"], .browserToo: ["signOutInBrowser"],
        .scenarios: ["scenarios", "tryDemo", "walkCase"],
        .export: ["export", "report", "redact"],
        .copyValue: ["copy", "copyAddress"], .save: ["saveCopy"], .picture: ["picture"], .add: ["addProfile"],
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
        let questions = allScreens.filter { $0 is any Question.Type }
        #expect(questions.count == 8)
        for table in questions.flatMap({ $0.keyLayers }) {
            let keys = table.commands.filter { Self.answers.contains($0.name.text) }.map(\.keys)
            #expect(keys == [["y"], ["n", .escape, "q"]], "\(table.title)")
        }
    }

    @Test("A letter without a command says what it does elsewhere")
    func elsewhere() {
        let notice = after(listing([alice]), keys: .character("z")).notice
        #expect(notice?.text == "z (show the QR code alone) has no effect here. Press ? for help.")
    }

    @Test("At 80 columns, Accounts and Claims hint at six verbs or more, the token's copy among them")
    func hints() {
        for model in [listing([alice, bob]), showingClaims(), listing([alice], demoProfile), noticing()] {
            let footer = view(model, standardSize).text.split(separator: "\n").last.map(String.init) ?? ""
            #expect(footer.contains("c copy token"), "\(footer)")
            #expect(footer.split(separator: #/ {2,}/#).count >= 7, "\(footer)")
        }
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
        #expect(view(left, standardSize).text.split(separator: "\n").last?.contains("b back") == true)
        // A call belongs to no scenario.
        var call = after(after(listing([alice]), keys: "a"), .input(.paste("https://api.contoso.example/me")))
        _ = update(&call, .input(.key(.enter)))
        #expect(after(call, keys: .escape).layer == "Accounts")
    }
}
