import Foundation
import TerminalUI

/// Results of effects that no screen waits for.
extension Model {
    mutating func take(accounts outcome: Outcome<[AccountSummary]>, of id: EffectID, at date: Date) {
        guard context.accounts.phase == .reading(id) else { return }
        context.advance(to: date)
        switch outcome {
        case .success(let list): context.accounts.replace(with: list)
        case .failure(let report): context.accounts.phase = .failed(report)
        }
    }

    mutating func take(offersDeviceCode isOffered: Bool, of id: EffectID) {
        guard id == context.learning || id == screens[newest].base.running else { return }
        context.offersDeviceCode = isOffered
        screens[newest].base.refresh(context)
    }

    mutating func take(removal outcome: Outcome<Message.Removed>, of id: EffectID, at date: Date) -> [Effect] {
        guard let removal = context.accounts.removing, removal.id == id else { return [] }
        context.accounts.removing = nil
        context.advance(to: date)
        context.endStep(id, outcome)
        switch outcome {
        case .success:
            context.notice = Notice(.success, Self.removedNotice(removal.account))
            return [context.readAccounts()]
        case .failure(let report):
            return showBeneathRunningFlow(.failure(report, .removal(removal.account)))
        }
    }

    private static func removedNotice(_ account: AccountSummary) -> String {
        "Removed \(account.displayName) and this program's tokens for it. The browser session, other programs' "
            + "tokens and the account at \(account.environment) remain."
    }

    /// Saves the text to a file if the terminal can't copy it.
    mutating func take(copy text: CopiedText, _ outcome: CopyOutcome) -> [Effect] {
        switch outcome {
        case .sent:
            context.notice = Notice(
                .success, "Sent \(text.name) to the terminal's clipboard. If it's not there, press Y to save a file.")
            return []
        case .refused:
            return [.save(context.makeEffectID(), text)]
        }
    }

    mutating func take(saved text: CopiedText, _ outcome: Outcome<String>) {
        switch outcome {
        case .success(let path):
            context.notice = Notice(.success, "Saved \(text.name) to \(path); only you can read it.")
        case .failure(let report):
            context.notice = Notice(.warning, "\(report.headline) \(report.reason)")
        }
    }
}
