import TerminalUI

/// Updates the model for a message. The only function that changes the model.
///
/// - Returns: the effects to start, in order.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
    let effects = model.handle(message)
    model.settle()
    return effects
}

extension Model {
    fileprivate mutating func handle(_ message: Message) -> [Effect] {
        switch message {
        case .started:
            let review = context.options.reviewed.map {
                Destination.review(of: $0, hiding: context.options.hiddenTexts)
            }
            return context.profile.map { profile in
                follow(.move(.begin(profile, then: review ?? profile.walk.map { _ in .walk(nil) })), at: top)
            } ?? review.map { follow(.open($0), at: top) } ?? []
        case .input(let event):
            return handle(event)
        case .select(let row):
            change((any MovingScreen).self) { $0.select(row: row, &$1) }
            change((any FormScreen).self) { form, _ in form.focus(field: row) }
        case .command(let name):
            context.notice = nil
            return perform(name) ?? []
        case .reply(let text):
            context.notice = nil
            return react((any PromptingScreen).self) { $0.reply(text, &$1) }
        case .inputEnded:
            return finish()
        case .tick(let date):
            context.advance(to: date)
            if screens[newest].base.running != nil { context.spinner += 1 }
            if !isCovered { change((any PlayingScreen).self) { $0.tick(&$1) } }
        case .flowEvent(let id, let event):
            context.traces.change(id) { $0.record(event) }
            keepWithinLists()
            return deliver(message, to: id)
        case .flowExchange(let id, let exchange):
            context.traces.change(id) { $0.record(exchange) }
            keepWithinLists()
        case .pageVisited(let id, let visit):
            context.traces.change(id) { $0.record(visit) }
        case .acted(let id, _), .waited(let id), .deviceCode(let id, _), .pagePicture(let id, _),
            .pasteRejected(let id, _), .checked(let id, _, _), .doors(let id, _, _),
            .urlHandlerChecked(let id, _), .scenarioOpened(let id, _), .acquired(let id, _, _), .profiles(let id, _),
            .explained(let id, _), .reviewed(let id, _), .compared(let id, _), .folderListed(let id, _),
            .configurationEdited(let id, _), .verified(let id, _), .revocation(let id, _):
            return deliver(message, to: id)
        case .exported(let id, let export, let outcome):
            return deliver(message, to: id, orSay: export, outcome)
        case .called(let id, _, _):
            return deliver(call: message, to: id)
        case .cacheOpened(let protection):
            context.cacheProtection = protection
        case .deviceCodeOffer(let id, let isOffered):
            return handle(message, offersDeviceCode: isOffered, of: id)
        case .copied(let text, let outcome):
            return finish(copy: text, outcome)
        case .tokenNotCopied(let acquisition):
            return open(.save(tokenOf: acquisition))
        case .saved(let text, let outcome):
            finish(saved: text, outcome)
        case .unread(let report):
            context.notice = Notice(.warning, report.reason)
        case .choicesNotSaved(let report):
            context.notice = Notice(.warning, "Can't save your settings. \(report.reason)")
        case .accountsRead(let id, let outcome, let date):
            finish(accounts: outcome, of: id, at: date)
            keepWithinLists()
        case .slow(let id, let sentence):
            if context.accounts.removing?.id == id { context.accounts.removing?.wait = Printable.sanitize(sentence) }
        case .removed(let id, let outcome, let date):
            return finish(removal: outcome, of: id, at: date)
        case .signedOut(let id, _, let date):
            context.advance(to: date)
            return deliver(message, to: id) + [context.readAccounts()]
        }
        return []
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
