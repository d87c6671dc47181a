import TerminalUI
import Testing

@testable import Console

@Suite("Update: removing an account")
struct RemovalUpdateTests {
    private let asking = after(listing([alice, bob]), keys: .character("D"))

    @Test func itConfirmsFirstWithCancelFocused() {
        let question = RemovalQuestion(accounts: [alice], authorities: [profile.authority], focus: .cancel)
        #expect(asking.overlay == AnyScreen(question))
    }

    @Test("These keys keep the account", arguments: [Key.enter, .escape, "q", "n"])
    func declined(key: Key) {
        var model = asking
        #expect(update(&model, .input(.key(key))) == [])
        #expect(model == listing([alice, bob]))
    }

    @Test("These keys also revoke its token", arguments: [[Key.character("V")], [.tab, .tab, .enter]])
    func revoked(keys: [Key]) {
        var model = asking
        let effects = keys.flatMap { update(&model, .input(.key($0))) }
        #expect(effects == [.work(EffectID(2), .remove(account: alice.identifier, revokes: true))])
    }

    @Test("The message says what became of the token at the authority")
    func revocationMessage() {
        let asked = after(asking, keys: .character("V"))
        let model = after(asked, .result(EffectID(2), .removed(.success("Revoked there."))))
        #expect(model.notice?.text.hasSuffix("Revoked there.") == true)
    }

    @Test("A slow request of a removal is named, and one of another effect isn't")
    func slowRequest() {
        func notice(_ id: Int) -> String {
            let model = after(
                after(asking, keys: .character("V")), .progress(EffectID(id), .slow("Waiting for a.example.")))
            return model.context.noticeLines(width: 200).flatMap(\.spans).map(\.text).joined()
        }
        #expect(notice(2) == "Removing alice@contoso.example. Waiting for a.example.")
        #expect(!notice(7).contains("Waiting"))
    }

    @Test(
        "These keys remove it",
        arguments: [[Key.character("y")], [.tab, .enter], [.right, .enter], [.left, .left, .left, .enter]])
    func confirmed(keys: [Key]) {
        var model = asking
        let effects = keys.flatMap { update(&model, .input(.key($0))) }
        #expect(effects == [.work(EffectID(2), .remove(account: alice.identifier))])
        #expect(model.accounts.removing == AccountsState.Removal(id: EffectID(2), account: alice))
        #expect(model.overlay == nil)
    }

    @Test func afterwardsItSaysWhatWasRemovedAndWhatIsLeft() throws {
        var model = after(asking, keys: .character("y"))
        #expect(
            update(&model, .result(EffectID(2), .removed(.success(nil)))) == [
                .work(EffectID(3), .readAccounts)
            ])
        let text = try #require(model.notice?.text)
        for fact in ["alice@contoso.example", "this computer", "browser", "other client IDs"] {
            #expect(text.contains(fact))
        }
    }

    @Test("Removing the default account says that it stays the default")
    func defaultAccount() throws {
        let model = after(
            after(after(listing([alice, bob]), keys: "*"), keys: "D", "y"),
            .result(EffectID(2), .removed(.success(nil))))
        #expect(
            try #require(model.notice?.text).contains("It was the default account, and is again once it has signed in.")
        )
    }

    @Test func aFailureIsShownAndCanBeRetried() {
        var model = after(
            after(asking, keys: .character("y")), .result(EffectID(2), .removed(.failure(networkReport))))
        let removal = AccountsState.Removal(id: EffectID(2), account: alice)
        #expect(model.routes == [AnyScreen(FailureState(report: networkReport, attempt: .removal(removal)))])
        #expect(
            update(&model, .input(.key(.character("r")))) == [.work(EffectID(3), .remove(account: alice.identifier))])
        #expect(model.routes == [])
    }

    @Test("A failed removal names what it leaves, and trying again revokes too, and goes on with the rest")
    func retryOfSeveral() throws {
        let asked = after(listing([alice, bob]), keys: " ", " ", "D", "V")
        var model = after(asked, .result(EffectID(2), .removed(.failure(networkReport))))
        #expect(view(model, standardSize).text.contains(#/Not removed +alice@contoso.example, bob@/#))
        #expect(model.lines.contains { $0.hasPrefix("Not removed: alice@contoso.example, bob@") })
        #expect(
            update(&model, .input(.key("r"))) == [.work(EffectID(3), .remove(account: alice.identifier, revokes: true))]
        )
        #expect(
            update(&model, .result(EffectID(3), .removed(.success("Revoked there."))))
                == [.work(EffectID(4), .remove(account: bob.identifier, revokes: true))])
    }

    @Test("Quitting completes all removals that the user confirmed, and a signal none")
    func quitting() {
        let asked = after(listing([alice, bob]), keys: " ", " ", "D")
        let first = Effect.work(EffectID(2), .remove(account: alice.identifier))
        var model = asked
        let second = Effect.work(EffectID(3), .remove(account: bob.identifier))
        #expect(update(&model, .input(.keys(["y", "q"]))) == [first, second])
        #expect(model.isFinished && update(&model, .inputEnded) == [], "Only once.")
        model = asked
        #expect(update(&model, .input(.key("y"))) == [first])
        #expect(update(&model, .input(.terminate)) == [.cancel(EffectID(2))])
    }

    @Test("Meanwhile no other profile is opened, which would have the rest of the removal")
    func otherProfile() {
        var model = pressing("P", in: after(listing([alice, bob]), keys: "D", "V"))
        #expect(update(&model, .input(.key(.enter))) == [])
        #expect(model.focus == .profiles && model.notice?.text == "Still removing alice@contoso.example.")
        model = after(model, .result(EffectID(2), .removed(.success(nil))))
        #expect(update(&model, .input(.key(.enter))).count == 1)
    }

    @Test func aFailureDoesNotCoverAFlowThatStartedMeanwhile() {
        let model = after(
            after(asking, keys: .character("y"), .character("i")),
            .result(EffectID(2), .removed(.failure(networkReport))))
        #expect(model.focus == .signIn)
        #expect(after(model, keys: .escape).focus == .failure)
    }

    @Test("Signing out in the browser too is one more answer", arguments: [[Key.character("B")], [.backTab, .enter]])
    func inTheBrowser(keys: [Key]) throws {
        var model = asking
        let effects = keys.flatMap { update(&model, .input(.key($0))) }
        #expect(effects == [.work(EffectID(2), .signOut(account: alice.identifier))])
        #expect(model.focus == .signOut)
        let done = Message.result(EffectID(2), .signedOut(.success(nil)))
        #expect(update(&model, done) == [.work(EffectID(3), .readAccounts)])
        #expect(model.focus == .accounts)
        #expect(try #require(model.notice).text.contains("in the browser. The refresh token may still be valid at"))
    }

    @Test func aFailedOrCancelledSignOutInTheBrowserReadsTheAccountsAgain() throws {
        let started = after(asking, keys: .character("B"))
        let failed = Message.result(EffectID(2), .signedOut(.failure(networkReport)))
        var model = started
        #expect(update(&model, failed) == [.work(EffectID(3), .readAccounts)])
        #expect(try #require(model.notice).text.contains(networkReport.headline))
        model = after(started, keys: .escape)
        #expect(
            model.notice?.text
                == "Signed out on this computer. The refresh token may still be valid at \(alice.environment). "
                + "The browser may still be signed in.")
        let left = model
        #expect(update(&model, failed) == [.work(EffectID(3), .readAccounts)])
        #expect(model.notice?.text == networkReport.paragraph, "It wasn't signed out.")
        var cancelled = cancelledReport
        cancelled.kind = .canceled
        #expect(after(left, .result(EffectID(2), .signedOut(.failure(cancelled)))).notice == left.notice)
    }

    @Test("The fate of the refresh token is known before the browser is done", arguments: ["It is revoked.", nil])
    func revocation(sentence: String?) {
        let known = after(after(asking, keys: .character("B")), .progress(EffectID(2), .revocation(sentence)))
        let fate = sentence.map { " \($0)" } ?? ""
        #expect(
            after(known, keys: .escape).notice?.text
                == "Signed out on this computer.\(fate) The browser may still be signed in.")
        let failed = after(known, .result(EffectID(2), .signedOut(.failure(networkReport))))
        #expect(failed.notice?.text == networkReport.paragraph + fate)
    }

    @Test("There is one removal at a time, and what says so goes with it")
    func oneRemovalAtATime() {
        let model = after(asking, keys: .character("y"), .down, .character("D"))
        #expect(model.overlay == nil)
        #expect(model.notice?.text == "Still removing alice@contoso.example.")
        #expect(after(model, .tick(testTime)).notice == model.notice)
        let done = after(model, .result(EffectID(2), .removed(.failure(networkReport))))
        #expect(done.notice == nil)
    }

    @Test("Space marks accounts, and one question signs out all of them, one after the other")
    func several() throws {
        var model = after(listing([alice, bob]), keys: " ", " ")
        #expect(view(model, standardSize).lines[0].contains("2 of 2, 2 marked"))
        model = after(model, keys: "D")
        let question = try #require(model.overlay?.as(RemovalQuestion.self))
        #expect(question.dialog.title == "Sign out these accounts?" && question.buttons.count == 3)
        #expect([alice, bob].allSatisfy { question.message.contains($0.username) })
        #expect(after(model, keys: "B").overlay == model.overlay, "A browser signs out one at a time.")
        #expect(
            update(&model, .input(.key("V"))) == [.work(EffectID(2), .remove(account: alice.identifier, revokes: true))]
        )
        #expect(
            update(&model, .result(EffectID(2), .removed(.success("Revoked there."))))
                == [.work(EffectID(3), .remove(account: bob.identifier, revokes: true))])
        var failed = model
        #expect(update(&model, .result(EffectID(3), .removed(.success("Revoked there.")))).count == 1)
        #expect(model.notice?.text == "Removed 2 accounts from this computer. Revoked there.")
        #expect(
            update(&failed, .result(EffectID(3), .removed(.failure(networkReport)))) == [
                .work(EffectID(4), .readAccounts)
            ])
        #expect(failed.focus == .failure)
        #expect(failed.notice?.text == "Removed alice@contoso.example from this computer. Revoked there.")
        failed = after(failed, .result(EffectID(4), .accounts(.success([bob]))))
        #expect(failed.accounts.chosen == [bob], "What failed is still marked.")
    }

    @Test("Marked accounts that the filter hides are neither counted nor signed out")
    func hiddenMarks() {
        let marked = after(listing([alice, bob]), keys: " ", .home, "/", "b", "o", "b", .enter)
        #expect(!view(marked, standardSize).text.contains("marked") && marked.accounts.chosen == [bob])
        let both = after(marked, keys: " ")
        #expect(view(both, standardSize).lines[0].contains("1 marked") && both.accounts.chosen == [bob])
        #expect(view(both, standardSize).text.contains("D sign out 1"))
        #expect(after(both, keys: "/", .enter).accounts.chosen == [alice, bob])
    }

    @Test("A small window shows the keys that answer")
    func answers() {
        let size = Size(width: 40, height: 12)
        let model = after(listing([alice], size: size), keys: "D")
        #expect(view(model, size).lines.last?.contains("y this computer  n no") == true)
    }

    @Test("Esc clears the marks before the filter, and what is gone is no longer marked")
    func unmarking() {
        let marked = after(listing([alice, bob]), keys: "/", "a", .enter, .home, " ")
        let once = after(marked, keys: .escape)
        #expect(once.accounts.marked.isEmpty && once.accounts.filter == "a")
        #expect(after(once, keys: .escape).accounts.filter == "")
        #expect(after(marked, keys: .home, " ").accounts.marked.isEmpty)
        let read = after(after(marked, keys: "r"), .result(EffectID(2), .accounts(.success([bob]))))
        #expect(read.accounts.marked.isEmpty)
    }

    @Test("In a small window, Down reads on to the end of the question, and then selects the next button")
    func readingOn() {
        let size = Size(width: 40, height: 12)
        var model = after(listing([alice, bob], size: size), keys: "D")
        var seen = ""
        for _ in 0..<4 {
            seen += view(model, size).text
            model = after(model, keys: .down)
        }
        #expect(seen.contains("alice@contoso.example") && seen.contains("session there."))
        #expect(model.overlay?.as(RemovalQuestion.self)?.focus.button != .cancel)
        #expect(view(model, size).text.contains("[This computer]"))
        for _ in 0..<6 { model = after(model, keys: .up) }
        #expect(view(model, size).text.contains("alice@contoso.example"))
    }

    @Test func aStaleRemovalIsDropped() {
        var model = listing([alice])
        let before = model
        #expect(update(&model, .result(EffectID(9), .removed(.success(nil)))) == [])
        #expect(model == before)
    }
}
