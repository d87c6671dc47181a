import Console
import TerminalUI
import Testing

/// Keys at random, from a seed, and results at random moments.
@Suite("Random keys")
struct RandomKeysTests {
    private static let keys: [Key] =
        Set(Commands.all.flatMap(\.keys)).subtracting([.control("c"), .character("q")]).sorted { "\($0)" < "\($1)" }
        + [.character("x"), .backspace, .delete, .alt("a"), .character("é"), .function(12)]

    @Test("10,000 of them leave a legal state", arguments: [1, 2, 3, 5, 8] as [UInt64])
    func legal(seed: UInt64) {
        var random = SplitMix(state: seed)
        var model = listing(manyAccounts(30), walkProfile)
        for _ in 0..<2000 {
            var pressed = Self.keys[random.below(Self.keys.count)]
            // From the palette the program can be ended too.
            if case .palette(let state) = model.overlay, state.selected(on: model.screenFocus)?.id == .close {
                pressed = .escape
            }
            let effects = update(&model, .input(.key(pressed)))
            expectLegal(model, "\(pressed)")
            for effect in effects where random.below(3) > 0 {
                _ = update(&model, answer(to: effect, &random))
                expectLegal(model, "\(effect)")
            }
            if random.below(20) == 0 {
                let kinds: [MouseEvent.Kind] = [.press, .wheelUp, .wheelDown]
                let point = Point(x: random.below(130), y: random.below(45))
                _ = update(&model, .input(.mouse(MouseEvent(kinds[random.below(3)], at: point))))
                expectLegal(model, "mouse")
            }
            if random.below(20) == 0 {
                let size = Size(width: random.below(130), height: random.below(45))
                _ = update(&model, .input(.resize(size)))
            }
            if random.below(10) == 0 { #expect(view(model, model.size).size == model.size) }
        }
        #expect(!model.isFinished)
    }

    /// What must hold of every model.
    private func expectLegal(_ model: Model, _ cause: String) {
        let state = model.accounts
        #expect(
            state.visible.isEmpty ? state.selection == 0 : state.visible.indices.contains(state.selection), "\(cause)")
        #expect(model.routes.dropLast().allSatisfy { $0.runningEffect == nil }, "\(cause)")
        if case .claims(let claims) = model.routes.last {
            #expect(
                claims.rows.isEmpty ? claims.selection == 0 : claims.rows.indices.contains(claims.selection), "\(cause)"
            )
        }
        #expect(model.routes.count <= 4, "\(cause)")
    }

    private func answer(to effect: Effect, _ random: inout SplitMix) -> Message {
        let fails = random.below(3) == 0
        let report = random.below(2) == 0 ? networkReport : interactionReport
        switch effect {
        case .readAccounts(let id):
            return .accountsRead(
                id, fails ? .failure(report) : .success(manyAccounts(1 + random.below(40))), at: testTime)
        case .signIn(let id, _), .acquireSilently(let id, _, _):
            return .acquired(id, fails ? .failure(report) : .success(acquisition), at: testTime)
        case .remove(let id, _):
            return .removed(id, fails ? .failure(report) : .success(Message.Removed()), at: testTime)
        case .deliver(let id, _):
            return .pasteRefused(id, report)
        case .copy(_, let text):
            return .copied(text, fails ? .refused("It is too long.") : .sent)
        case .save(_, let text):
            return .saved(text, fails ? .failure(report) : .success("/home/alice/" + text.fileName))
        case .profiles(let id, let work):
            return .profiles(id, bookAnswer(to: work))
        case .check(let id, _):
            return .checked(id, fails ? goodReport : checkReport, at: testTime)
        case .report:
            let text = CopiedText("the support report", fileName: "report.txt", "")
            return .saved(text, fails ? .failure(report) : .success("/home/alice/report.txt"))
        case .openScenario(let id, _):
            return .scenarioOpened(id, fails ? .failure(report) : .success(walkProfile))
        case .performStep(let id, let step) where step.action == .remove:
            return .removed(id, fails ? .failure(report) : .success(Message.Removed()), at: testTime)
        case .performStep(let id, _):
            return .acquired(id, fails ? .failure(report) : .success(acquisition), at: testTime)
        case .cancel:
            return .tick(testTime)
        }
    }
}

/// SplitMix64: small, and the same everywhere.
private struct SplitMix {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(limit))
    }
}
