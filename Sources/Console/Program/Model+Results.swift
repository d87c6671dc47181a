import Foundation
import TerminalUI

/// What comes back from effects that no screen waits for: it belongs to all of them.
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
        "Removed \(account.displayName): this program's tokens for it are deleted here. Still there: the browser's "
            + "session, other programs' tokens, and the account itself at \(account.environment)."
    }

    /// A text that the terminal cannot take goes into a file at once.
    mutating func take(copy text: CopiedText, _ outcome: CopyOutcome) -> [Effect] {
        switch outcome {
        case .sent:
            context.notice = Notice(
                .success, "Sent \(text.name) to the terminal's clipboard. Not there? Y writes it to a file.")
            return []
        case .refused:
            return [.save(context.makeEffectID(), text)]
        }
    }

    mutating func take(saved text: CopiedText, _ outcome: Outcome<String>) {
        switch outcome {
        case .success(let path):
            context.notice = Notice(.success, "Wrote \(text.name) to \(path), which only you can read.")
        case .failure(let report):
            context.notice = Notice(.warning, "\(report.headline) \(report.reason)")
        }
    }
}
