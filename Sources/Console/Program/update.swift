import Foundation
import MSAL
import TerminalUI

/// Updates the model for a message, and returns the effects to start, in order. Nothing else changes the model.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
    let effects = model.handle(message).map { model.context.holding($0) }
    model.dropOutdatedNotice()
    model.settle()
    return effects
}

extension Model {
    /// Why a command is unavailable is of no interest when it's available, or unavailable for another reason.
    fileprivate mutating func dropOutdatedNotice() {
        guard let notice = context.notice, let name = notice.command else { return }
        if screens[top].base.entry(CommandName(stringLiteral: name), context)?.availability != .unavailable(notice.text)
        {
            context.notice = nil
        }
    }

    fileprivate mutating func handle(_ message: Message) -> [Effect] {
        switch message {
        case .started:
            let review = context.options.reviewed.map {
                Destination.review(of: $0, hiding: context.options.hiddenTexts)
            }
            let flow: Destination? = context.options.steps.map { .signIn(to: $0.resource) }
            return context.profile.map { profile in
                follow(.move(.begin(profile, then: review ?? flow ?? profile.walk.map { _ in .walk(nil) })), at: top)
            } ?? review.map { follow(.open($0), at: top) } ?? []
        case .input(let event): return handle(event)
        case .select(let row):
            change((any MovingScreen).self) { $0.select(row: row, &$1) }
            change((any FormScreen).self) { form, _ in form.focus(field: row) }
        case .command(let name):
            context.notice = nil
            return perform(name) ?? []
        case .reply(let text):
            context.notice = nil
            return react((any PromptingScreen).self) { $0.reply(text, &$1) }
        case .inputEnded: return finish()
        case .tick(let date):
            context.advance(to: date)
            if screens[newest].base.activity != nil { context.spinner += 1 }
            if !isCovered { change((any PlayingScreen).self) { $0.tick(&$1) } }
        case .progress(let id, let progress): return hear(progress, of: id)
        case .result(let id, let result, let date): return finish(id, result, at: date)
        case .choicesNotSaved(let report):
            context.notice = Notice(.warning, "Can't save your settings. \(report.reason)")
        }
        return []
    }

    private mutating func hear(_ progress: Progress, of id: EffectID) -> [Effect] {
        let waiting = index(waitingFor: id)
        switch progress {
        case .event(let event):
            context.traces.change(id) { $0.record(event) }
            keepWithinLists()
            if waiting != nil { context.advance(to: event.date) }
        case .exchange(let exchange):
            context.traces.change(id) { $0.record(exchange) }
            keepWithinLists()
        case .held(let request): return hold(request, of: id)
        case .page(let visit): context.traces.change(id) { $0.record(visit) }
        case .slow(let sentence):
            if context.accounts.removing?.id == id { context.accounts.removing?.wait = Printable.sanitize(sentence) }
        case .cacheOpened(let protection): context.cacheProtection = protection
        case .unread(let report): context.notice = Notice(.warning, report.reason)
        case .deviceCodeOffer(let isOffered):
            guard id == context.learning || id == screens[newest].base.activity else { return [] }
            context.offersDeviceCode = isOffered
            return react((any FollowingScreen).self, at: newest) { $0.follow(progress, &$1) }
        case .deviceCode(let shown): context.held[id]?.code = shown.code
        case .pagePicture, .pasteRejected, .stuck, .revocation: break
        }
        return waiting.map { react((any FollowingScreen).self, at: $0) { $0.follow(progress, &$1) } } ?? []
    }

    /// Shows the request that a flow holds, unless it goes on by itself.
    private mutating func hold(_ request: MSALHeldRequest, of id: EffectID) -> [Effect] {
        let recorded = context.options.steps?.like
        guard context.held[id, default: HeldFlow()].hold(request, like: recorded) else { return [.release(id, [])] }
        return screens.contains { $0.as((any HoldingScreen).self)?.flow == id } ? [] : open(.step(id))
    }

    /// Takes a result that no screen waits for, or delivers it to the screen that does.
    private mutating func finish(_ id: EffectID, _ result: WorkResult, at date: Date) -> [Effect] {
        switch result {
        case .accounts(let outcome):
            finish(accounts: outcome, of: id, at: date)
            keepWithinLists()
            return []
        case .removed(let outcome): return finish(removal: outcome, of: id, at: date)
        case .copied(let content, let outcome): return finish(copy: content, outcome, at: date)
        case .saved(let text, let outcome):
            context.notice = outcome.notice { Notice(.success, "Saved \(text.name) to \($0); only you can read it.") }
            return []
        case .exported(let export, let outcome) where index(waitingFor: id) == nil:
            context.notice = outcome.notice { $0.notice(of: export.name) }
            return []
        // What was cancelled may already have saved an account.
        case .acquired where index(waitingFor: id) == nil, .called where index(waitingFor: id) == nil:
            return [context.readAccounts()]
        // Its requests already go to the opened profile's authority.
        case .profiles(.opened(.success(let profile))) where index(waitingFor: id) == nil,
            .scenarioOpened(.success(let profile)) where index(waitingFor: id) == nil:
            return follow(context.change(to: profile), at: top)
        case .signedOut(let outcome):
            if index(waitingFor: id) == nil, let report = outcome.error, report.kind != .canceled {
                context.notice = Notice(.warning, report.paragraph)
            }
            return deliver(result, to: id, at: date) + [context.readAccounts()]
        case .acquired, .called, .waited, .scenarioOpened, .profiles, .edited, .exported, .checked, .explained,
            .reviewed, .compared, .folder, .verified, .urlHandler, .doors, .ran:
            return deliver(result, to: id, at: date)
        }
    }

    /// A message can replace several steps of a flow, so that lists of rows become shorter.
    private mutating func keepWithinLists() {
        for index in screens.indices {
            _ = screens[index].change((any MovingScreen).self, &context) { screen, context in
                guard let extent = screen.extent(context), extent.position > extent.last else { return }
                screen.go(to: extent.last, &context)
            }
        }
    }
}
