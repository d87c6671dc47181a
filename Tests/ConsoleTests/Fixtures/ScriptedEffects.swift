import Console
import Foundation
import KeyturnSystem

/// Responds to each effect at once as the test specifies, with a list as the cache.
final class ScriptedEffects: EffectPerformer {
    private struct State {
        var accounts: [AccountSummary]
        var performed: [Effect] = []
        var paces: [Pace] = []
        var isFinished = false
    }

    private let state: Locked<State>

    init(accounts: [AccountSummary]) { state = Locked(State(accounts: accounts)) }

    var performed: [Effect] { state.withLock(\.performed) }
    var paces: [Pace] { state.withLock(\.paces) }
    var isFinished: Bool { state.withLock(\.isFinished) }

    func perform(_ effect: Effect, mailbox: Mailbox) {
        state.withLock { $0.performed.append(effect) }
        switch effect {
        case .readAccounts(let id), .takeBack(let id, _):
            mailbox.post(.accountsRead(id, .success(state.withLock(\.accounts)), at: testTime))
        case .signIn(let id, _):
            for case .flowEvent(_, let event) in eventsUntilWaiting { mailbox.post(.flowEvent(id, event)) }
            state.withLock { $0.accounts.append(acquisition.account) }
            mailbox.post(.acquired(id, .success(acquisition), at: testTime))
        case .acquireSilently(let id, _, _, _):
            mailbox.post(.acquired(id, .failure(interactionReport), at: testTime))
        case .remove(let id, let account, _):
            state.withLock { $0.accounts.removeAll { $0.identifier == account } }
            mailbox.post(.removed(id, .success(Message.Removed()), at: testTime))
        case .signOut(let id, let account):
            state.withLock { $0.accounts.removeAll { $0.identifier == account } }
            mailbox.post(.revocation(id, "The refresh token is revoked at login.contoso.example."))
            mailbox.post(.signedOut(id, .success(Message.Removed()), at: testTime))
        case .profiles(let id, let work):
            mailbox.post(.profiles(id, bookAnswer(to: work)))
        case .check(let id, _):
            mailbox.post(.checked(id, checkReport, at: testTime))
        case .explain(let id, _, _, _):
            mailbox.post(.explained(id, .success(explained)))
        case .review(let id, _, _, _):
            mailbox.post(.reviewed(id, .success(reviewedCopy)))
        case .compare(let id, _, _):
            mailbox.post(.compared(id, .success(differing)))
        case .doors(let id, _):
            mailbox.post(.doors(id, openDoors, at: testTime))
        case .listFolder(let id, _):
            mailbox.post(.folderListed(id, .success(folderEntries)))
        case .editConfiguration(let id):
            mailbox.post(.configurationEdited(id, .success(Message.Edited())))
        case .verify(let id, _, _):
            mailbox.post(.verified(id, []))
        case .checkURLHandler(let id, _):
            mailbox.post(.urlHandlerChecked(id, .notNeeded))
        case .forgetTyped:
            mailbox.post(.input(.forgotten))
        case .cancel, .deliver, .copy, .copyToken, .save, .export, .saveChoices, .saveDefaultAccount, .display,
            .openScenario,
            .performStep, .act:
            break
        }
    }

    func keep(_ pace: Pace, mailbox: Mailbox) { state.withLock { $0.paces.append(pace) } }

    func finish() async { state.withLock { $0.isFinished = true } }
}
