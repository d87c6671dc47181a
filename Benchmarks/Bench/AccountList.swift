import Console
import Foundation
import TerminalUI

/// The terminal program on a list of many accounts, without a terminal.
struct AccountList {
    private var model: Model
    private var shown: Surface
    private var key = Key.down

    init(_ count: Int) {
        let profile = ProgramProfile(
            name: "bench", authority: "https://login.contoso.example/common", clientID: "11111111",
            scopes: ["User.Read"])
        model = Model(profile, options: ProgramOptions(), size: Size(width: 80, height: 24))
        let accounts = (0..<count).map { number in
            AccountSummary(
                identifier: "\(number)", name: "Person \(number)", username: "person\(number)@contoso.example",
                tenant: "contoso.example", environment: "login.contoso.example")
        }
        _ = update(&model, .started)
        _ = update(&model, .result(EffectID(1), .accounts(.success(accounts)), at: Date(timeIntervalSince1970: 2e9)))
        shown = view(model, model.context.size)
    }

    /// A key, the frame after it, and the drawn difference.
    mutating func press() {
        _ = update(&model, .input(.key(key)))
        let surface = view(model, model.context.size)
        // At the end of the list nothing moves.
        if surface.changes(since: shown).isEmpty { key = key == .down ? .up : .down }
        shown = surface
    }
}
