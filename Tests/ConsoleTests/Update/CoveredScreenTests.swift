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
            .result(EffectID(2), .acquired(.success(acquisition)))
        ),
        (
            "sign-in that fails", after(listing([alice]), keys: .character("i")),
            .result(EffectID(2), .acquired(.failure(networkReport)))
        ),
        (
            "sign-in that goes on", after(listing([alice], chainProfile), keys: .character("i")),
            .result(EffectID(2), .acquired(.failure(absentBrokerReport)))
        ),
        ("steps", after(listing([alice]), keys: .character("i")), event(.findAuthority, .started)),
        ("code", after(listing([alice]), keys: .character("m")), .progress(EffectID(2), .deviceCode(shownCode))),
        (
            "token", after(listing([alice]), keys: .enter),
            .result(EffectID(2), .acquired(.success(acquisition)))
        ),
        ("check", after(listing([alice]), keys: .character("v")), .result(EffectID(2), .checked(checkReport))),
        ("form", after(listing([alice]), keys: .character("o")), .result(EffectID(2), .urlHandler(.notNeeded))),
        (
            "profiles", after(listing([alice]), keys: .character("P")),
            .result(EffectID(2), .profiles(.listed(.success(profileEntries))))
        ),
        (
            "scenarios", after(listing([], walkProfile), keys: .character("w"), .enter),
            .result(EffectID(2), .scenarioOpened(.failure(networkReport)))
        ),
        (
            "demo", after(unconfigured(), keys: .character("w")),
            .result(EffectID(1), .scenarioOpened(.failure(networkReport)))
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
        for number in 1..<20 { model = after(model, .result(EffectID(number), .profiles(.tested(authorityAnswer)))) }
        #expect(model.routes != before)
    }

    @Test func aFlowThatIsInspectedEndsBelowTheInspector() {
        let watched = inspecting(running([discoveryExchange]))
        let result = Message.result(EffectID(2), .acquired(.failure(networkReport)))
        #expect(after(watched, result).routes == after(running([discoveryExchange]), result).routes)
    }
}
