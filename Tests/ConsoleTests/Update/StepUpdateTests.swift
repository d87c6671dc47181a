import Diagnosis
import MSAL
import TerminalUI
import Testing

@testable import Console

/// Flows whose requests are held.
@Suite("Update: held requests") struct StepUpdateTests {
    private func effects(_ model: Model, _ key: Key) -> [Effect] {
        var model = model
        return update(&model, .input(.key(key)))
    }

    private func id(_ model: Model) -> EffectID { model.context.held.keys.first ?? EffectID(0) }

    @Test("Only after W does a flow hold its requests")
    func starting() {
        let plain = effects(listing([alice]), "i")
        #expect(plain.contains { if case .work(_, .signIn) = $0 { true } else { false } })
        let held = effects(after(listing([alice]), keys: "W"), "i")
        #expect(held.contains { if case .work(_, .held(.signIn)) = $0 { true } else { false } })
        let again = effects(after(listing([alice]), keys: "W", "W"), "i")
        #expect(again.contains { if case .work(_, .signIn) = $0 { true } else { false } })
    }

    @Test("A held request opens its screen, and n sends it")
    func sending() {
        let model = held()
        #expect(model.focus == .step && model.context.held[id(model)]?.request != nil)
        #expect(effects(model, "n") == [.release(id(model), [])])
        #expect(after(model, keys: "n").context.held[id(model)]?.request == nil)
        #expect(after(model, keys: "n", "n").notice?.text == "No request is held.")
    }

    @Test("g goes on to a request of another kind, and G to the end")
    func running() {
        func goesOn(_ key: Key, _ next: MSALHeldRequest) -> Bool {
            var model = after(held(), keys: key)
            return update(&model, .progress(id(model), .held(next))) == [.release(id(model), [])]
        }
        let page = MSALHeldRequest(exchange: authorizationExchange, isEditable: true)
        #expect(goesOn("g", heldRequest()) && !goesOn("g", page))
        #expect(goesOn("G", heldRequest()) && goesOn("G", page))
        #expect(!goesOn("n", heldRequest()))
        // What makes no request waits for the user.
        #expect(!goesOn("G", heldRequest("The request has no parameter foo.")))
    }

    @Test("A change is sent with the request, unless it's undone")
    func changing() {
        let changed = after(held(), keys: "E", .enter)
        #expect(changed.focus == .step)
        let edits = changed.context.held[id(changed)]?.edits ?? []
        #expect(!edits.isEmpty && effects(changed, "n") == [.release(id(changed), edits)])
        #expect(effects(after(changed, keys: "U"), "n") == [.release(id(changed), [])])
        #expect(after(changed, keys: "U", "U").notice?.text == "Nothing is changed.")
    }

    @Test("A value is typed, with the old one to begin with, unless that is secret")
    func typing() {
        let plain = after(held(), keys: "E", .end, .up, .enter)
        #expect(plain.focus == .requestEntry)
        let typed = after(plain, keys: "x", .enter)
        let name = heldRequest().exchange.parameters.first?.name ?? ""
        let value = heldRequest().exchange.parameters.first?.value ?? ""
        #expect(typed.context.held[id(typed)]?.edits == [.replace(name, with: value + "x")])
        let added = after(held(), .input(.keys(["E", .end, .enter])))
        let named = after(after(added, .input(.paste("prompt=none"))), keys: .enter)
        #expect(named.context.held[id(named)]?.edits == [.replace("prompt", with: "none")])
    }

    @Test("What makes no request is held again with its change and the reason")
    func problem() {
        var model = after(held(), keys: "E", .enter)
        let edits = model.context.held[id(model)]?.edits
        model = after(model, keys: "n")
        model = after(model, .progress(id(model), .held(heldRequest("The request has no parameter foo."))))
        #expect(
            model.context.held[id(model)]?.edits == edits && model.context.held[id(model)]?.trials.isEmpty == true)
    }

    @Test("Esc shows the sign-in while the request stays held, and W the request again")
    func leaving() {
        let away = after(held(), keys: .escape)
        #expect(away.focus == .signIn && away.context.held[id(away)]?.request != nil)
        #expect(after(away, keys: "W").focus == .step)
        #expect(effects(held(), .control("c")).contains(.cancel(id(held()))))
    }
}
