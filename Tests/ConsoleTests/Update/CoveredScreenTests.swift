import TerminalUI
import Testing

@testable import Console

/// What is visible is not always what has the keys: a result reaches the screen that waits for it, whatever lies over it.
@Suite("Update: results beneath what lies over a screen")
struct CoveredScreenTests {
    private static let adding = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))

    /// Each screen that waits, and what it waits for.
    private static let waiting: [(String, Model, Message)] = [
        (
            "sign-in", after(listing([alice]), keys: .character("i")),
            .acquired(EffectID(2), .success(acquisition), at: testTime)
        ),
        (
            "sign-in that fails", after(listing([alice]), keys: .character("i")),
            .acquired(EffectID(2), .failure(networkReport), at: testTime)
        ),
        (
            "sign-in that goes on", after(listing([alice], chainProfile), keys: .character("i")),
            .acquired(EffectID(2), .failure(absentBrokerReport), at: testTime)
        ),
        ("steps", after(listing([alice]), keys: .character("i")), event(.findAuthority, .started)),
        ("code", after(listing([alice]), keys: .character("c")), .deviceCode(EffectID(2), shownCode)),
        (
            "token", after(listing([alice]), keys: .enter),
            .acquired(EffectID(2), .success(acquisition), at: testTime)
        ),
        ("check", after(listing([alice]), keys: .character("x")), .checked(EffectID(2), checkReport, at: testTime)),
        ("form", after(listing([alice]), keys: .character("o")), .urlHandlerAsked(EffectID(2), .notNeeded)),
        (
            "profiles", after(listing([alice]), keys: .character("P")),
            .profiles(EffectID(2), .listed(.success(profileEntries)))
        ),
        (
            "scenarios", after(listing([], walkProfile), keys: .character("w"), .enter),
            .scenarioOpened(EffectID(2), .failure(networkReport))
        ),
        (
            "demo", after(unconfigured(), keys: .character("t")),
            .profiles(EffectID(1), .opened(.failure(networkReport)))
        ),
    ]

    @Test("It reaches the screen beneath the help and the command list", arguments: waiting)
    func beneath(name: String, model: Model, result: Message) {
        for key in [Key.character("?"), .character(":"), .function(1)] {
            let covered = after(model, keys: key)
            guard covered.overlay != nil else { continue }
            let direct = after(model, result)
            #expect(direct.routes != model.routes, "it changes what waits for it")
            #expect(after(covered, result).routes == direct.routes, "\(name)")
            #expect(after(covered, result).pace == direct.pace, "\(name)")
        }
    }

    @Test func anAnswerReachesTheSetUpBeneathItsHelp() {
        var model = after(Self.adding, keys: .control("t"), .function(1))
        let before = model.routes
        // Whatever its number is, one of these is what was asked.
        for number in 1..<20 { model = after(model, .profiles(EffectID(number), .asked(authorityAnswer))) }
        #expect(model.routes != before)
    }

    @Test func aFlowThatIsInspectedEndsBeneathTheInspector() {
        let watched = inspecting(running([discoveryExchange]))
        let result = Message.acquired(EffectID(2), .failure(networkReport), at: testTime)
        #expect(after(watched, result).routes == after(running([discoveryExchange]), result).routes)
    }
}
