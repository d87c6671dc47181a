import TerminalUI

/// The only place where the model changes.
///
/// - Returns: the effects that the change calls for, in order.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
    switch message {
    case .started:
        return model.profile.map { [model.begin(with: $0)] } ?? []
    case .input(let event):
        return model.take(event)
    case .select(let row):
        model.select(row: row)
        return []
    case .inputEnded:
        return model.finish()
    case .tick(let date):
        model.advance(to: date)
        if model.routes.last?.runningEffect != nil { model.spinner += 1 }
        return []
    case .flowEvent(let id, let event):
        return model.record(event, of: id)
    case .flowExchange(let id, let exchange):
        model.traces.change(id) { $0.record(exchange) }
        return []
    case .deviceCode(let id, let code):
        model.show(code, of: id)
        return []
    case .pagePicture(let id, let picture):
        model.show(page: picture, of: id)
        return []
    case .pasteRefused(let id, let report):
        model.refusePaste(report, of: id)
        return []
    case .cacheOpened(let protection):
        model.cacheProtection = protection
        return []
    case .deviceCodeOffer(let id, let isOffered):
        model.take(offersDeviceCode: isOffered, of: id)
        return []
    case .checked(let id, let report, let date):
        model.take(report: report, of: id, at: date)
        return []
    case .copied(let text, let outcome):
        return model.take(copy: text, outcome)
    case .saved(let text, let outcome):
        model.take(saved: text, outcome)
        return []
    case .deviceAccountsUnread(let report):
        model.notice = Notice(.warning, report.reason)
        return []
    case .urlHandlerAsked(let id, let handler):
        model.take(urlHandler: handler, of: id)
        return []
    case .choicesNotKept(let report):
        model.notice = Notice(.warning, "What you chose is not kept for the next run. \(report.reason)")
        return []
    case .scenarioOpened(let id, let outcome):
        return model.take(scenario: outcome, of: id)
    case .accountsRead(let id, let outcome, let date):
        return model.take(accounts: outcome, of: id, at: date)
    case .acquired(let id, let outcome, let date):
        return model.take(acquisition: outcome, of: id, at: date)
    case .removed(let id, let outcome, let date):
        return model.take(removal: outcome, of: id, at: date)
    case .profiles(let id, let answer):
        return model.take(answer, of: id)
    }
}
