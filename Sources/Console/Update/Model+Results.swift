import AuthEngine
import Foundation
import TerminalUI

/// What comes back from effects. A result whose id nobody waits for any more is stale and changes nothing.
extension Model {
    mutating func record(_ event: MSALFlowEvent, of id: EffectID) -> [Effect] {
        traces.change(id) { $0.record(event) }
        switch routes.last {
        case .signIn(var state) where state.id == id:
            state.progress.record(event)
            replaceTop(.signIn(state))
            advance(to: event.date)
            return state.givesUp(on: event) ? [.cancel(id)] : []
        case .silent(var state) where state.id == id:
            state.progress.record(event)
            replaceTop(.silent(state))
            advance(to: event.date)
        default: break
        }
        return []
    }

    mutating func show(_ code: ShownDeviceCode, of id: EffectID) {
        guard case .signIn(var state) = routes.last, state.id == id else { return }
        state.deviceCode = code
        replaceTop(.signIn(state))
    }

    mutating func show(page picture: QRCode?, of id: EffectID) {
        guard case .signIn(var state) = routes.last, state.id == id else { return }
        state.pagePicture = picture
        replaceTop(.signIn(state))
    }

    mutating func refusePaste(_ report: ErrorReport, of id: EffectID) {
        guard case .signIn(let state) = routes.last, state.id == id else { return }
        notice = Notice(.warning, "\(report.reason) \(report.advice)")
    }

    mutating func take(accounts outcome: Outcome<[AccountSummary]>, of id: EffectID, at date: Date) -> [Effect] {
        guard accounts.phase == .reading(id) else { return [] }
        advance(to: date)
        switch outcome {
        case .success(let list): accounts.replace(with: list)
        case .failure(let report): accounts.phase = .failed(report)
        }
        return []
    }

    mutating func take(acquisition outcome: Outcome<Acquisition>, of id: EffectID, at date: Date) -> [Effect] {
        guard let route = routes.last, route.runningEffect == id else { return [] }
        routes.removeLast()
        advance(to: date)
        traces.change(id) { $0.ending = FlowTrace.Ending(outcome) }
        endStep(id, outcome)
        switch (route, outcome) {
        case (.silent(let state), .failure(let report)) where report.kind == .signInRequired:
            overlay = .offerInteraction(state.account, reason: report.reason, focus: .confirm)
        case (.silent(let state), .failure(let report)):
            routes.append(
                .failure(FailureState(report, attempt: .silent(state.account, isForced: state.isForced), flow: id)))
        case (.silent, .success(let acquisition)):
            return gotToken(acquisition, by: id)
        case (.signIn(let state), .failure(let report)):
            if state.way == .broker, report.isBrokerAbsent { brokerRefusal = report.reason }
            if let refusal = state.refusal(report, isAbsent: proposal.obstacle(to: state.way) != nil) {
                return [goOn(with: state, after: refusal)]
            }
            routes.append(.failure(FailureState(report, attempt: state.attempt, flow: id)))
        case (_, .failure(let report)):
            routes.append(.failure(FailureState(report, attempt: .signIn(nil), flow: id)))
        case (_, .success(let acquisition)):
            return signedIn(acquisition, by: id)
        }
        return []
    }

    private mutating func goOn(with state: SignInState, after refusal: SignInRefusal) -> Effect {
        var request = state.request
        request.way = refusal.next
        return signIn(as: state.account, asking: request, in: state.chain, after: state.refusals + [refusal])
    }

    private mutating func signedIn(_ acquisition: Acquisition, by id: EffectID) -> [Effect] {
        overlay = nil
        accounts.setFilter("")
        accounts.selectWhenRead = acquisition.account.identifier
        routes.append(.claims(claims(of: acquisition, flow: id)))
        notice = Notice(.success, "Signed in as \(acquisition.account.displayName).")
        return [readAccounts()] + remember(scopes: acquisition.scopes)
    }

    /// The claims of a renewed token come in place of those that the renewal was asked for on.
    private mutating func gotToken(_ acquisition: Acquisition, by id: EffectID) -> [Effect] {
        var state = claims(of: acquisition, flow: id)
        if case .claims(let old) = routes.last {
            state.pasted = old.pasted
            routes.removeLast()
        }
        routes.append(.claims(state))
        guard !acquisition.isFromCache else {
            notice = Notice(.success, "This token was in the cache; the authority was not asked.")
            return []
        }
        notice = Notice(.success, "The authority gave a new token for the stored refresh token.")
        return [readAccounts()]
    }

    mutating func take(removal outcome: Outcome<Message.Removed>, of id: EffectID, at date: Date) -> [Effect] {
        guard let removal = accounts.removing, removal.id == id else { return [] }
        accounts.removing = nil
        advance(to: date)
        endStep(id, outcome)
        switch outcome {
        case .success:
            notice = Notice(.success, Self.removedNotice(removal.account))
            return [readAccounts()]
        case .failure(let report):
            showBeneathRunningFlow(.failure(FailureState(report, attempt: .removal(removal.account))))
            return []
        }
    }

    /// A flow that runs stays on top: its result is looked for there, and its address must stay on the screen.
    private mutating func showBeneathRunningFlow(_ route: Route) {
        routes.insert(route, at: routes.last?.runningEffect == nil ? routes.endIndex : routes.endIndex - 1)
    }

    private static func removedNotice(_ account: AccountSummary) -> String {
        "Removed \(account.displayName): this program's tokens for it are deleted here. Still there: the browser's "
            + "session, other programs' tokens, and the account itself at \(account.environment)."
    }
}

extension FlowTrace.Ending {
    fileprivate init(_ outcome: Outcome<Acquisition>) {
        switch outcome {
        case .success: self = .succeeded
        case .failure(let report): self = .failed(report.headline)
        }
    }
}
