import TerminalUI
import Testing

@testable import Console

@Suite("Update: the account list")
struct AccountsUpdateTests {
    @Test func startingReadsTheAccounts() {
        var model = newModel()
        #expect(update(&model, .started) == [.work(EffectID(1), .readAccounts)])
        var expected = newModel()
        expected.context.accounts.phase = .reading(EffectID(1))
        expected.context.learning = EffectID(1)
        expected.context.nextEffect = EffectID(2)
        #expect(model == expected)
    }

    @Test func startingWithAProblemDoesNothing() {
        let initial = Model(
            .problem(problem, configPath: "/c"), options: ProgramOptions(), size: standardSize)
        var model = initial
        #expect(update(&model, .started) == [])
        #expect(model == initial)
    }

    @Test func accountsThatWereReadAreListed() {
        let model = listing([alice, bob])
        #expect(model.accounts.phase == .read)
        #expect(model.accounts.all == [alice, bob])
        #expect(model.accounts.selected == alice)
        #expect(model.now == testTime)
    }

    /// The visible rows of the list.
    private func inSight(_ model: Model) -> [Int] {
        let list = model.accounts.visible.map { model.accounts.all[$0].username }
        return view(model, model.size).lines.dropLast().compactMap { line in
            line.firstMatch(of: /person\d+@contoso.example/).flatMap { match in
                list.firstIndex(of: String(match.output))
            }
        }
    }

    @Test func aLongListScrollsRowByRowAtItsEdges() {
        let model = listing(manyAccounts(1000))
        let shown = inSight(model)
        let height = shown.count
        var moved = (1..<height).reduce(model) { moved, _ in after(moved, keys: .down) }
        #expect(inSight(moved) == shown, "nothing scrolls down to the last visible row")
        moved = after(moved, keys: .down, .down)
        #expect(inSight(moved) == shown.map { $0 + 2 })
        let up = (1..<height).reduce(moved) { moved, _ in after(moved, keys: .up) }
        #expect(inSight(up) == inSight(moved), "nothing scrolls up to the first visible row")
        #expect(inSight(after(up, keys: .up)) == shown.map { $0 + 1 })
    }

    @Test func aPageKeyMovesThePageUnderTheSelection() {
        let model = after(listing(manyAccounts(1000)), keys: .down, .down, .down)
        let height = inSight(model).count
        let turned = after(model, keys: .pageDown)
        #expect(turned.accounts.selection == 3 + height)
        #expect(inSight(turned) == inSight(model).map { $0 + height })
        #expect(after(turned, keys: .pageUp) == model)
        #expect(inSight(after(model, keys: .end)).last == 999)
    }

    @Test func theListKeepsItsPlaceWhenTheWindowChanges() {
        let model = after(listing(manyAccounts(1000)), keys: .end)
        let low = after(model, .input(.resize(Size(width: 80, height: 10))))
        #expect(inSight(low).contains(999))
        #expect(inSight(after(low, .input(.resize(standardSize)))) == inSight(model))
    }

    @Test func aHeadingScrollsInWithTheRowBelowIt() {
        let model = listing(manyAccounts(100) + wideAccounts, size: Size(width: 80, height: 12))
        let back = (0..<110).reduce(after(model, keys: .end)) { moved, _ in after(moved, keys: .up) }
        #expect(back.accounts.selection == 0)
        #expect(view(back, back.size).lines == view(model, model.size).lines)
    }

    @Test(
        "Each state has a sign, words and a colour",
        arguments: [
            (3600, true, "● valid 1 h", Role.success), (300, false, "● valid 5 min", .success),
            (299, true, "! valid 4 min", .warning), (59, true, "! expires soon", .warning),
            (0, true, "◐ refreshes at use", .muted), (0, false, "✗ sign in again", .danger),
        ])
    func states(seconds: Double, canRefresh: Bool, shown: String, role: Role) {
        let state = AccessState.held(until: testTime.addingTimeInterval(seconds), canRefresh: canRefresh)
            .state(by: testTime)
        #expect("\(state.sign(.unicode)) \(state.word(by: testTime))" == shown)
        #expect(state.style == Style(role))
    }

    @Test("Names sort as people count")
    func naturalOrder() {
        let names = ["user10", "User2", "user02b", "user", "user1", "ann"]
        #expect(
            names.sorted { NaturalOrder($0) < NaturalOrder($1) }
                == ["ann", "user", "user1", "User2", "user02b", "user10"])
    }

    @Test func aReadFailureIsKept() {
        let model = after(newModel(), .started, .result(EffectID(1), .accounts(.failure(networkReport))))
        #expect(model.accounts.phase == .failed(networkReport))
        #expect(model.notice == nil, "The list's place has it.")
    }

    @Test("If rows of an earlier reading hide that the accounts can't be read, a notice says so")
    func failureBesideRows() {
        let model = after(
            after(listing([alice]), keys: "r"), .result(EffectID(2), .accounts(.failure(networkReport))))
        #expect(model.notice?.text == networkReport.paragraph && model.notice?.severity == .warning)
    }

    @Test func aStaleListIsDropped() {
        var model = listing([alice, bob])
        let before = model
        #expect(update(&model, .result(EffectID(1), .accounts(.success([])))) == [])
        #expect(model == before)
    }

    @Test func readingAgainKeepsTheSelectionOnItsAccount() {
        var model = after(listing([alice, bob]), keys: .down)
        #expect(update(&model, .input(.key(.character("r")))) == [.work(EffectID(2), .readAccounts)])
        model = after(model, .result(EffectID(2), .accounts(.success([carol, alice, bob]))))
        #expect(model.accounts.selected == bob)
    }

    @Test func whenTheSelectedAccountIsRemovedTheRowStays() {
        let model = after(
            after(listing([alice, bob, carol]), keys: .down, .character("r")),
            .result(EffectID(2), .accounts(.success([alice, carol]))))
        #expect(model.accounts.selected == carol)
    }

    @Test(
        "Moving",
        arguments: [
            ([Key.down], 1), ([.character("j"), .character("j")], 2), ([.character("G")], 99), ([.end, .up], 98),
            ([.end, .character("k"), .home], 0), ([.pageDown], 18), ([.control("d")], 9),
            ([.pageDown, .control("u")], 9),
            ([.up], 0), ([.end, .pageUp, .character("g")], 0), ([.end, .down], 99),
        ])
    func moving(keys: [Key], row: Int) {
        let model = keys.reduce(listing(manyAccounts(100))) { after($0, keys: $1) }
        #expect(model.accounts.selection == row)
    }

    @Test func signingInStartsAFlowWithTheProfilesScopes() {
        var model = listing([alice])
        let effects = update(&model, .input(.key(.character("i"))))
        #expect(effects == [.work(EffectID(2), .signIn(SignInRequest(scopes: ["User.Read"])))])
        #expect(
            model.routes == [AnyScreen(SignInState(id: EffectID(2), request: SignInRequest(scopes: ["User.Read"])))])
    }

    @Test func enterGetsATokenSilently() {
        var model = after(listing([alice, bob]), keys: .down)
        let effects = update(&model, .input(.key(.enter)))
        #expect(effects == [.work(EffectID(2), .acquireSilently(account: bob.identifier, scopes: ["User.Read"]))])
        #expect(model.routes == [AnyScreen(SilentState(id: EffectID(2), account: bob))])
    }

    @Test(
        "Without an account, these commands say why they are unavailable",
        arguments: [Key.character("D"), .character("/")])
    func unavailable(key: Key) {
        var model = listing([])
        #expect(update(&model, .input(.key(key))) == [])
        #expect(model.notice?.severity == .quiet)
        #expect(model.routes.isEmpty && model.overlay == nil)
    }

    @Test func theFilterNarrowsTheList() {
        let model = after(listing([alice, bob, carol]), keys: .character("/"), .character("M"), .character("a"))
        #expect(model.focus == .filter)
        #expect(model.accounts.visible == [2])
        #expect(model.accounts.selected == carol)
    }

    @Test("Leaving the filter", arguments: [(Key.enter, "bob", 1), (.escape, "", 3)])
    func leavingTheFilter(key: Key, filter: String, visible: Int) {
        var model = after(listing([alice, bob, carol]), keys: .character("/"))
        model = after(model, .input(.paste("bob")), .input(.key(key)))
        #expect(model.focus != .filter)
        #expect(model.accounts.filter == filter)
        #expect(model.accounts.visible.count == visible)
        #expect(model.accounts.selected == bob)
    }

    @Test func backspaceWidensTheFilterAndEscapeClearsIt() {
        var model = after(listing([alice, bob]), keys: .character("/"), .character("b"), .character("x"), .backspace)
        #expect(model.accounts.filter == "b")
        model = after(model, keys: .enter, .escape)
        #expect(model.accounts.filter.isEmpty)
        #expect(!model.isFinished)
    }

    @Test func textPastedIntoTheFilterIsMadePrintable() {
        let model = after(after(listing([alice]), keys: .character("/")), .input(.paste("al\u{1B}\u{202E}i")))
        #expect(model.accounts.filter == "ali")
    }

}
