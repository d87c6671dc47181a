import TerminalUI
import Testing

@testable import Console

/// A result reaches the screen that waits for it, even below the layer that has the keys.
@Suite("Update: results below a layer")
struct CoveredScreenTests {
    private static let adding = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))

    /// Each screen that waits, and the message it waits for.
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
        ("code", after(listing([alice]), keys: .character("m")), .deviceCode(EffectID(2), shownCode)),
        (
            "token", after(listing([alice]), keys: .enter),
            .acquired(EffectID(2), .success(acquisition), at: testTime)
        ),
        ("check", after(listing([alice]), keys: .character("v")), .checked(EffectID(2), checkReport, at: testTime)),
        ("form", after(listing([alice]), keys: .character("o")), .urlHandlerChecked(EffectID(2), .notNeeded)),
        (
            "profiles", after(listing([alice]), keys: .character("P")),
            .profiles(EffectID(2), .listed(.success(profileEntries)))
        ),
        (
            "scenarios", after(listing([], walkProfile), keys: .character("w"), .enter),
            .scenarioOpened(EffectID(2), .failure(networkReport))
        ),
        (
            "demo", after(unconfigured(), keys: .character("w")),
            .scenarioOpened(EffectID(1), .failure(networkReport))
        ),
    ]

    @Test("The result reaches the screen below help and the command palette", arguments: waiting)
    func beneath(name: String, model: Model, result: Message) {
        for key in [Key.character("?"), .character(":"), .function(1)] {
            let covered = after(model, keys: key)
            guard covered.overlay != nil else { continue }
            let direct = after(model, result)
            #expect(direct.routes != model.routes, "the message changes the screen that waits for it")
            #expect(after(covered, result).routes == direct.routes, "\(name)")
            #expect(after(covered, result).pace == direct.pace, "\(name)")
        }
    }

    @Test func aResponseReachesTheSetUpBelowItsHelp() {
        var model = after(Self.adding, keys: .control("t"), .function(1))
        let before = model.routes
        // The request's number is one of these.
        for number in 1..<20 { model = after(model, .profiles(EffectID(number), .tested(authorityAnswer))) }
        #expect(model.routes != before)
    }

    @Test func aFlowThatIsInspectedEndsBelowTheInspector() {
        let watched = inspecting(running([discoveryExchange]))
        let result = Message.acquired(EffectID(2), .failure(networkReport), at: testTime)
        #expect(after(watched, result).routes == after(running([discoveryExchange]), result).routes)
    }
}
