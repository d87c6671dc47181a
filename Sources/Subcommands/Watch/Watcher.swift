import Console
import Foundation
import MSAL

/// An account that ``Watcher`` refreshes.
struct WatchedAccount: Sendable {
    /// Unique among all caches.
    var identifier: String
    /// The username with the profile or the resource.
    var name: String
    /// The command that signs the user in again.
    var signIn: String
    var tokens: MSALCachedTokens
    /// Refreshes the tokens in the cache. Returns the expiry of the access token.
    var refresh: @Sendable () async throws -> Date?
}

/// The accounts of all caches at one time.
struct WatchedCaches: Sendable {
    var accounts: [WatchedAccount] = []
    /// Why a profile's accounts are missing.
    var problems: [Failure] = []
    /// Waits for a time, or until a cache or the configuration changes.
    var wait: @Sendable (Date?) async throws -> Void
}

/// A line about an account.
struct WatchNotice: Sendable {
    /// The names that `--notify` passes on.
    enum Event: String, Sendable {
        case refreshed
        case notRefreshed = "not-refreshed"
        case signInExpires = "sign-in-expires"
        case signInRequired = "sign-in-required"
    }

    var event: Event
    var account: String
    /// For the user's notice.
    var text: String
    /// For the output, if that is shorter.
    var short: String?
    var line: String { short ?? text }
    /// Whether the user must act.
    var isForUser: Bool
}

/// Refreshes tokens when the plan says so, one after the other, and sleeps in between.
struct Watcher: Sendable {
    private var plan: WatchPlan
    /// The problems at the last look, and those that were told.
    private var problems: Set<String> = []
    private var told: Set<String> = []
    private let look: @Sendable () -> WatchedCaches
    private let tell: @Sendable (WatchNotice) async -> Void
    private let now: @Sendable () -> Date

    init(
        margin: TimeInterval, now: @escaping @Sendable () -> Date, look: @escaping @Sendable () -> WatchedCaches,
        tell: @escaping @Sendable (WatchNotice) async -> Void
    ) {
        plan = WatchPlan(margin: margin)
        (self.now, self.look, self.tell) = (now, look, tell)
    }

    /// When to look again at a cache or configuration that can't be read: the first time soon, because a program may be writing
    /// the file.
    private static let (moment, pause): (TimeInterval, TimeInterval) = (2, 600)

    /// Runs until the task is cancelled. Calls `begun` before the first wait, with the number of accounts.
    func run(begun: (_ accounts: Int, _ next: Date?) -> Void = { _, _ in }) async throws {
        var watcher = self
        var isFirst = true
        while true {
            try Task.checkCancellation()
            let caches = look()
            let step = try await watcher.step(caches)
            guard step.due.isEmpty else { continue }
            if isFirst { begun(caches.accounts.count, step.next) }
            isFirst = false
            try await caches.wait(step.next)
        }
    }

    private mutating func step(_ caches: WatchedCaches) async throws -> WatchPlan.Step {
        let found = Set(caches.problems.map(\.sentences))
        // A damaged cache is set aside at the first look, so the next one finds nothing wrong.
        let ofCache = Set(caches.problems.filter { $0.kind == .store }.map(\.sentences))
        let certain = found.intersection(problems).union(ofCache)
        for text in certain.subtracting(told) {
            let isForUser = ofCache.contains(text)
            await tell(WatchNotice(event: .notRefreshed, account: "", text: text, isForUser: isForUser))
        }
        (told, problems) = (certain, found)
        var step = plan.look(at: caches.accounts, isComplete: found.isEmpty, now: now())
        for (account, expiry) in step.warnings { await tell(.expires(account, expiry, now: now())) }
        for account in step.due { try await refresh(account) }
        if !found.isEmpty {
            step.next = min(step.next ?? .distantFuture, now() + (found == told ? Self.pause : Self.moment))
        }
        return step
    }

    private mutating func refresh(_ account: WatchedAccount) async throws {
        do {
            let expiry = try await account.refresh()
            plan.succeeded(account, now: now())
            await tell(.refreshed(account, expiry, now: now()))
        } catch let interrupted as Interrupted {
            throw interrupted
        } catch {
            try Task.checkCancellation()
            let failure = Failure(reporting: error)
            guard plan.failed(account, failure, now: now()) else { return }
            await tell(.failed(account, failure))
        }
    }
}

extension WatchNotice {
    fileprivate static func refreshed(_ account: WatchedAccount, _ expiry: Date?, now: Date) -> WatchNotice {
        let time = expiry.map { ", valid \(Moment.remaining($0.timeIntervalSince(now)))" } ?? ""
        let text = "\(account.name): refreshed\(time)."
        return WatchNotice(event: .refreshed, account: account.name, text: text, isForUser: false)
    }

    fileprivate static func expires(_ account: WatchedAccount, _ expiry: Date, now: Date) -> WatchNotice {
        let text = "\(account.name): the sign-in expires \(Moment.relative(expiry, to: now)). Run '\(account.signIn)'."
        return WatchNotice(event: .signInExpires, account: account.name, text: text, isForUser: true)
    }

    fileprivate static func failed(_ account: WatchedAccount, _ failure: Failure) -> WatchNotice {
        let isSignIn = failure.exitCode == .interactionRequired
        // A quoted hint has quotes of its own.
        let text = failure.sentences.replacing(
            #/'keyturn sign-in(?: --login-hint .*?)?'(?=[. ])/#, with: "'\(account.signIn)'")
        return WatchNotice(
            event: isSignIn ? .signInRequired : .notRefreshed, account: account.name,
            text: "\(account.name): not refreshed. \(text)",
            short: isSignIn
                ? "\(account.name): sign in again. Run '\(account.signIn)'."
                : "\(account.name): not refreshed. \(failure.headline)", isForUser: !failure.isTemporary)
    }
}
