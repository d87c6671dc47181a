import AuthEngine
import TerminalUI

/// What the keys of the claims screen do.
extension Model {
    mutating func performOnClaims(_ command: CommandID) {
        guard case .claims(var state) = routes.last else { return }
        switch command {
        case .json:
            state.showsJSON.toggle()
            (state.isRevealed, state.top) = (false, 0)
        case .compare:
            state.comparison = state.comparison == nil ? state.partners.first : nil
            (state.selection, state.showsJSON) = (0, false)
        case .idTokenTab: state.show(.idToken)
        case .accessTokenTab: state.show(.accessToken)
        default: turn(&state, by: command == .nextTab ? 1 : -1)
        }
        replaceTop(.claims(state))
    }

    /// To the next token; while two are compared, the next one beside the shown one.
    private func turn(_ state: inout ClaimsState, by step: Int) {
        if let comparison = state.comparison {
            state.comparison = Self.neighbour(of: comparison, in: state.partners, by: step)
            state.selection = 0
        } else if let tab = Self.neighbour(of: state.tab, in: state.tabs, by: step) {
            state.show(tab)
        }
    }

    private static func neighbour(
        of tab: ClaimsState.Tab, in tabs: [ClaimsState.Tab], by step: Int
    ) -> ClaimsState.Tab? {
        guard let index = tabs.firstIndex(of: tab) else { return tabs.first }
        return tabs[(index + step + tabs.count) % tabs.count]
    }

    mutating func revealSignature() {
        guard case .claims(var state) = routes.last else { return }
        state.isRevealed.toggle()
        replaceTop(.claims(state))
    }

    mutating func performOnPastedToken(_ command: CommandID) {
        guard command == .readToken else {
            overlay = .pasteToken(TextField())
            return
        }
        guard case .pasteToken(let field) = overlay else { return }
        read(token: field.text)
    }

    /// Shows a pasted token, beside those that are shown.
    mutating func read(token text: String) {
        overlay = nil
        do throws(PastedToken.Refusal) {
            let token = try PastedToken(text, at: now ?? .distantPast)
            if case .claims(var state) = routes.last {
                state.pasted = token
                state.show(.pasted)
                replaceTop(.claims(state))
            } else {
                routes.append(.claims(ClaimsState(pasted: token)))
            }
        } catch {
            notice = Notice(.warning, error.reason)
        }
    }

    /// The claims of an acquisition beside those of the account's last one.
    mutating func claims(of acquisition: Acquisition, flow: EffectID) -> ClaimsState {
        let account = acquisition.account.identifier
        defer { acquisitions[account] = acquisition }
        return ClaimsState(acquisition, previous: acquisitions[account], flow: flow)
    }
}
