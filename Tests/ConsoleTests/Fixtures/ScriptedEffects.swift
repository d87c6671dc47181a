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
        case .work(let id, .readAccounts), .work(let id, .takeBack):
            mailbox.post(.result(id, .accounts(.success(state.withLock(\.accounts)))))
        case .work(let id, .signIn):
            for case .progress(_, .event(let event)) in eventsUntilWaiting {
                mailbox.post(.progress(id, .event(event)))
            }
            state.withLock { $0.accounts.append(acquisition.account) }
            mailbox.post(.result(id, .acquired(.success(acquisition))))
        case .work(let id, .acquireSilently):
            mailbox.post(.result(id, .acquired(.failure(interactionReport))))
        case .work(let id, .remove(let account, _)):
            state.withLock { $0.accounts.removeAll { $0.identifier == account } }
            mailbox.post(.result(id, .removed(.success(nil))))
        case .work(let id, .signOut(let account)):
            state.withLock { $0.accounts.removeAll { $0.identifier == account } }
            mailbox.post(.progress(id, .revocation("The refresh token is revoked at login.contoso.example.")))
            mailbox.post(.result(id, .signedOut(.success(nil))))
        case .work(let id, .profiles(let work)):
            mailbox.post(.result(id, .profiles(bookAnswer(to: work))))
        case .work(let id, .check):
            mailbox.post(.result(id, .checked(checkReport)))
        case .work(let id, .explain):
            mailbox.post(.result(id, .explained(.success(explained))))
        case .work(let id, .review):
            mailbox.post(.result(id, .reviewed(.success(reviewedCopy))))
        case .work(let id, .compare):
            mailbox.post(.result(id, .compared(.success(differing))))
        case .work(let id, .runCommand):
            mailbox.post(.result(id, .ran(.failure(networkReport))))
        case .work(let id, .doors):
            mailbox.post(.result(id, .doors(openDoors)))
        case .work(let id, .listFolder):
            mailbox.post(.result(id, .folder(.success(folderEntries))))
        case .work(let id, .editConfiguration):
            mailbox.post(.result(id, .edited(nil)))
        case .work(let id, .verify):
            mailbox.post(.result(id, .verified([])))
        case .work(let id, .checkURLHandler):
            mailbox.post(.result(id, .urlHandler(.notNeeded)))
        case .forgetTyped:
            mailbox.post(.input(.forgotten))
        case .work(_, .copy), .work(_, .copyToken), .work(_, .save), .work(_, .export), .work(_, .openScenario),
            .work(_, .performStep), .work(_, .held), .release, .cancel, .deliver, .saveChoices, .saveDefaultAccount,
            .display, .act:
            break
        }
    }

    func keep(_ pace: Pace, mailbox: Mailbox) { state.withLock { $0.paces.append(pace) } }

    func finish() async { state.withLock { $0.isFinished = true } }
}
