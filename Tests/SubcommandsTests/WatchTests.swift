import Foundation
import KeyturnSystem
import MSAL
import MSALTesting
import Testing

@testable import Subcommands

/// Accounts at simulated providers, and a wait that only moves the clock.
private final class World: Sendable {
    struct Account: Sendable {
        var lifetime: TimeInterval
        var signInLifetime: TimeInterval?
        var failure: Failure?
        var tokens: MSALCachedTokens
    }

    let time = ManualTime()
    let accounts = Locked<[String: Account]>([:])
    let problems = Locked<[Failure]>([])
    let notices = Locked<[WatchNotice]>([])
    /// The time of each request to a provider, in seconds since the start.
    let requests = Locked<[TimeInterval]>([])
    /// The time of each wake-up.
    let wakeUps = Locked<[TimeInterval]>([])

    func add(_ name: String, _ lifetime: TimeInterval, signIn: TimeInterval? = nil, failure: Failure? = nil) {
        let tokens = tokens(lifetime, signIn)
        accounts.withLock {
            $0[name] = Account(lifetime: lifetime, signInLifetime: nil, failure: failure, tokens: tokens)
        }
    }

    func tokens(_ lifetime: TimeInterval, _ signIn: TimeInterval? = nil, canRefresh: Bool = true) -> MSALCachedTokens {
        MSALCachedTokens(
            expiresOn: time.now() + lifetime, canRefresh: canRefresh, isFromOtherApplication: false,
            signInExpiry: signIn.map { .init(date: time.now() + $0, countedFrom: time.now(), basis: .stated) })
    }

    private var elapsed: TimeInterval { time.now().timeIntervalSince(ManualTime.start) }

    private func refresh(_ name: String) throws -> Date? {
        requests.withLock { $0.append(elapsed) }
        return try accounts.withLock { accounts in
            guard let account = accounts[name] else { return nil }
            if let failure = account.failure { throw failure }
            let signIn = account.signInLifetime.map { time.now() + $0 } ?? account.tokens.signInExpiry?.date
            accounts[name]?.tokens = MSALCachedTokens(
                expiresOn: time.now() + account.lifetime, canRefresh: true, isFromOtherApplication: false,
                signInExpiry: signIn.map { .init(date: $0, countedFrom: time.now(), basis: .stated) })
            return accounts[name]?.tokens.expiresOn
        }
    }

    /// Watches for some seconds of the simulated clock.
    ///
    /// - Parameter meanwhile: called after each wake-up, with the number of wake-ups.
    func watch(
        for seconds: TimeInterval, margin: TimeInterval = 600, _ meanwhile: @escaping @Sendable (Int) -> Void = { _ in }
    ) async {
        let end = time.now() + seconds
        let watcher = Watcher(margin: margin, now: time.now) { [self] in
            let watched = accounts.withLock { $0 }.map { name, account in
                WatchedAccount(name, account.tokens) { [self] in try refresh(name) }
            }
            return WatchedCaches(accounts: watched, problems: problems.withLock { $0 }) { [self] next in
                guard let next, next < end else { throw CancellationError() }
                time.advance(by: max(0, next.timeIntervalSince(time.now())))
                meanwhile(
                    wakeUps.withLock {
                        $0.append(elapsed); return $0.count
                    })
            }
        } tell: { [self] notice in
            notices.withLock { $0.append(notice) }
        }
        await #expect(throws: CancellationError.self) { try await watcher.run() }
    }

    func texts(_ event: WatchNotice.Event) -> [String] {
        notices.withLock { $0.filter { $0.event == event }.map(\.text) }
    }
}

extension WatchedAccount {
    fileprivate init(
        _ name: String, _ tokens: MSALCachedTokens, refresh: @escaping @Sendable () async throws -> Date? = { nil }
    ) {
        self.init(identifier: name, name: name, signIn: "keyturn sign-in", tokens: tokens, refresh: refresh)
    }
}

@Suite("Watching tokens")
struct WatchTests {
    private let world = World()
    private let down = Failure(headline: "The server is busy (HTTP 503).", reason: "", kind: .unavailable)
    private let rejected = Failure(
        headline: "Sign-in required.", reason: "Sign-in required: the refresh token has expired.", kind: .signInRequired
    )

    @Test("Two hours without a wake-up too many: each one refreshes a token")
    func twoHours() async {
        world.add("ann", 3_600)
        world.add("wang", 1_500)
        world.accounts.withLock {
            $0["forge"] = World.Account(
                lifetime: 0,
                tokens: MSALCachedTokens(expiresOn: .unstatedExpiry, canRefresh: true, isFromOtherApplication: false))
            $0["gone"] = World.Account(lifetime: 0, tokens: world.tokens(-60, canRefresh: false))
        }
        await world.watch(for: 7_200)
        // At 10 minutes before the expiry of tokens of 25 and 60 minutes.
        let expected = Set((1...7).map { TimeInterval($0 * 900) } + [3_000, 6_000])
        #expect(world.wakeUps.withLock { $0 } == expected.sorted())
        #expect(world.requests.withLock { $0 } == world.wakeUps.withLock { $0 })
        #expect(world.texts(.refreshed).first == "wang: refreshed, valid 25 min.")
    }

    @Test(
        "After a failure, the removal of the token waits for the user, and a sign-in doesn't", arguments: [false, true])
    func signInAfterFailure(signsIn: Bool) {
        var plan = WatchPlan(margin: 600)
        let now = ManualTime.start
        func account(_ lifetime: TimeInterval, _ signedInOn: Date, canRefresh: Bool = true) -> WatchedAccount {
            WatchedAccount(
                "ann",
                MSALCachedTokens(
                    expiresOn: now + lifetime, canRefresh: canRefresh, isFromOtherApplication: false,
                    signedInOn: signedInOn))
        }
        let old = account(-60, now - 3_600)
        let first = plan.look(at: [old], now: now)
        let isNew = plan.failed(old, rejected, now: now)
        #expect(first.due.count == 1 && isNew)
        let next = signsIn ? account(3_600, now + 1) : account(-60, now - 3_600, canRefresh: false)
        let step = plan.look(at: [next], now: now + 2)
        #expect(step.due.isEmpty && step.next == (signsIn ? now + 3_000 : nil))
    }

    @Test("Refreshes after half of the lifetime at the earliest", arguments: [300.0, 3_600, 86_400])
    func shortLifetimes(lifetime: TimeInterval) async {
        world.add("ann", lifetime)
        await world.watch(for: lifetime * 4 + 1, margin: 86_400)
        #expect(world.requests.withLock(\.count) == 8)
    }

    @Test("Refreshes at once what has expired meanwhile, one account after the other")
    func afterSuspension() async {
        for index in 1...20 { world.add("user \(index)", -3_600) }
        await world.watch(for: 60)
        #expect(world.requests.withLock { $0 } == Array(repeating: 0, count: 20))
    }

    @Test("While a server is down, asks less and less often, tells it once, and serves the other accounts")
    func serverDown() async {
        world.add("ann", 3_600)
        world.add("wang", -1, failure: down)
        await world.watch(for: 7_200) { [world] _ in
            guard world.time.now() > ManualTime.start + 5_400 else { return }
            world.accounts.withLock {
                $0["wang"]?.failure = nil; $0["wang"]?.lifetime = 7_200
            }
        }
        let requests = world.requests.withLock { $0 }.filter { $0 != 3_000 && $0 != 6_000 }
        #expect(requests.prefix(9) == [0, 15, 45, 105, 225, 465, 945, 1_845, 2_745])
        #expect(zip(requests, requests.dropFirst()).allSatisfy { $1 - $0 <= 900 })
        #expect(world.texts(.notRefreshed).count == 1)
        #expect(world.texts(.refreshed).filter { $0.hasPrefix("wang") }.count == 1)
    }

    @Test("Waits as long as the server demands")
    func retryAfter() async {
        var busy = down
        busy.retryAfter = 3_000
        world.add("ann", -1, failure: busy)
        await world.watch(for: 7_200)
        #expect(world.requests.withLock { $0 } == [0, 3_000, 6_000])
    }

    @Test("When only the user can help, says so once, and goes on after the sign-in")
    func signInRequired() async throws {
        world.add("ann", -1, failure: rejected)
        world.add("clock", 3_600)
        await world.watch(for: 86_400) { [world] count in
            guard count == 10 else { return }
            let tokens = world.tokens(7_200)
            world.accounts.withLock {
                $0["ann"]?.failure = nil; $0["ann"]?.tokens = tokens
            }
        }
        let told = try #require(world.notices.withLock { $0.first { $0.isForUser } })
        #expect(told.event == .signInRequired)
        #expect(
            told.text == "ann: not refreshed. Sign-in required: the refresh token has expired.")
        #expect(told.line == "ann: sign in again. Run 'keyturn sign-in'.")
        #expect(world.notices.withLock { $0.count(where: \.isForUser) } == 1)
        #expect(world.texts(.refreshed).contains { $0.hasPrefix("ann") })
    }

    @Test("The removal of a rejected token is no sign-in")
    func removedToken() {
        var plan = WatchPlan(margin: 600)
        let now = ManualTime.start
        let account = WatchedAccount("ann", world.tokens(-1))
        let due1 = plan.look(at: [account], now: now).due
        #expect(due1.count == 1)
        let isNew = plan.failed(account, rejected, now: now)
        #expect(isNew)
        let rest = MSALCachedTokens(expiresOn: nil, canRefresh: true, isFromOtherApplication: false)
        let step = plan.look(at: [WatchedAccount("ann", rest)], now: now + 3_600)
        #expect(step.due.isEmpty && step.warnings.isEmpty && step.next == nil)
        let due2 = plan.look(at: [account], now: now + 7_200).due
        #expect(due2.count == 1)
    }

    @Test("A response without a new expiry is no reason to hurry")
    func sameExpiry() {
        var plan = WatchPlan(margin: 600)
        var now = ManualTime.start
        var attempts = 0
        while now < ManualTime.start + 7_200 {
            let account = WatchedAccount("ann", world.tokens(30))
            let step = plan.look(at: [account], now: now)
            if step.due.isEmpty {
                guard let next = step.next else { break }
                now = max(next, now)
            } else {
                attempts += 1
                plan.succeeded(account, now: now)
            }
        }
        #expect(attempts == 11)
    }

    @Test("Warns once of a sign-in that expires, and doesn't hurry then")
    func fixedSignIn() async {
        world.add("ann", 3_600, signIn: 172_800)
        await world.watch(for: 172_800)
        #expect(world.texts(.signInExpires) == ["ann: the sign-in expires in 9 h 36 min. Run 'keyturn sign-in'."])
        #expect(world.requests.withLock(\.count) <= 59)
    }

    @Test("Doesn't warn of a sign-in that each refresh postpones")
    func slidingSignIn() async {
        world.add("ann", 300, signIn: 1_800)
        world.accounts.withLock { $0["ann"]?.signInLifetime = 1_800 }
        await world.watch(for: 86_400)
        #expect(world.texts(.signInExpires) == [])
        #expect(world.requests.withLock(\.count) == 575)
    }

    @Test("Warns before the expiry of a token that can't be refreshed")
    func notRefreshable() async {
        let tokens = world.tokens(3_600, canRefresh: false)
        world.accounts.withLock { $0["ann"] = World.Account(lifetime: 0, tokens: tokens) }
        await world.watch(for: 7_200)
        #expect(world.texts(.signInExpires) == ["ann: the sign-in expires in 12 min. Run 'keyturn sign-in'."])
        #expect(world.wakeUps.withLock { $0 } == [2_880])
    }

    @Test("A clock that is set back doesn't stop the refreshes")
    func clockSetBack() {
        var plan = WatchPlan(margin: 600)
        let account = WatchedAccount("ann", world.tokens(-86_400 * 365))
        let due3 = plan.look(at: [account], now: ManualTime.start).due
        #expect(due3.count == 1)
        _ = plan.failed(account, down, now: ManualTime.start)
        let due4 = plan.look(at: [account], now: ManualTime.start + 10).due
        #expect(due4.isEmpty)
        let due5 = plan.look(at: [account], now: ManualTime.start - 86_400).due
        #expect(due5.count == 1)
    }

    @Test("Tells once why a profile can't be read, and looks again")
    func problem() async {
        let problem = Failure(.store, name: "cache", "The keyring is locked.", nextStep: "Unlock it.")
        world.problems.withLock { $0 = [problem] }
        await world.watch(for: 7_200) { [world] count in
            guard count == 3 else { return }
            world.add("ann", -1)
            world.accounts.withLock { $0["ann"]?.lifetime = 7_200 }
            world.problems.withLock { $0 = [] }
        }
        #expect(world.wakeUps.withLock { $0 }.prefix(3) == [2, 602, 1_202])
        #expect(world.texts(.notRefreshed) == ["The keyring is locked. Unlock it."])
        #expect(world.texts(.refreshed).count == 1)
    }

    @Test(
        "Rejects times that no one means", arguments: ["", "5", "h", "0m", "59s", "25h", "-1h", "1h30m", "1 h", "1d"])
    func invalidTimes(text: String) throws {
        #expect(throws: UsageError.self) {
            _ = try WatchCommand(OptionParser(options: WatchCommand.specification.options).parse(["--before=\(text)"]))
        }
    }

    @Test("Warns again of the expiry of another sign-in")
    func nextSignIn() async {
        world.add("ann", 3_600, signIn: 172_800)
        let hasSignedIn = Locked(false)
        await world.watch(for: 345_600) { [world] _ in
            guard world.time.now() > ManualTime.start + 170_000, !hasSignedIn.withLock(\.self) else { return }
            hasSignedIn.withLock { $0 = true }
            world.add("ann", 3_600, signIn: 172_800)
        }
        #expect(world.texts(.signInExpires).count == 2)
    }
}
