import Console
import Foundation
import Glibc
import KeyturnSystem
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
    /// Returns the expiry of the access token.
    var refresh: @Sendable () async throws -> Date?
}

struct WatchedCaches: Sendable {
    var accounts: [WatchedAccount] = []
    var problems: [Failure] = []
    /// Waits for a time, or until a cache or the configuration changes.
    var wait: @Sendable (Date?) async throws -> Void
}

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
    var text: String
    /// For the output.
    var line: String
    /// Whether the user must act.
    var isForUser: Bool

    init(_ event: Event, _ account: String, _ text: String, line: String? = nil, isForUser: Bool) {
        (self.event, self.account, self.isForUser) = (event, account, isForUser)
        (self.text, self.line) = (text, line ?? text)
    }
}

/// Refreshes tokens when the plan says so, one after the other, and sleeps in between.
struct Watcher: Sendable {
    private var plan: WatchPlan
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

    /// Seconds before another look at a cache or configuration that can't be read: the first time soon, because a program may
    /// be writing the file.
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
            await tell(WatchNotice(.notRefreshed, "", text, isForUser: ofCache.contains(text)))
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
        } catch {
            if error is Interrupted { throw error }
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
        return WatchNotice(.refreshed, account.name, "\(account.name): refreshed\(time).", isForUser: false)
    }

    fileprivate static func expires(_ account: WatchedAccount, _ expiry: Date, now: Date) -> WatchNotice {
        let text = "\(account.name): the sign-in expires \(Moment.relative(expiry, to: now)). Run '\(account.signIn)'."
        return WatchNotice(.signInExpires, account.name, text, isForUser: true)
    }

    fileprivate static func failed(_ account: WatchedAccount, _ failure: Failure) -> WatchNotice {
        let isSignIn = failure.exitCode == .interactionRequired
        // A quoted hint has quotes of its own.
        let text = failure.sentences.replacing(
            #/'keyturn sign-in(?: --login-hint .*?)?'(?=[. ])/#, with: "'\(account.signIn)'")
        return WatchNotice(
            isSignIn ? .signInRequired : .notRefreshed, account.name, "\(account.name): not refreshed. \(text)",
            line: isSignIn
                ? "\(account.name): sign in again. Run '\(account.signIn)'."
                : "\(account.name): not refreshed. \(failure.headline)", isForUser: !failure.isTemporary)
    }
}

/// Tells the user who isn't at the program's terminal: by a command of the user's, or else on the desktop.
struct UserNotice: Sendable {
    /// A command line of the shell; `nil` for the desktop.
    let command: String?
    let environment: [String: String]

    /// Returns why the user couldn't be told; `nil` if they were, or if there is no desktop.
    func send(_ notice: WatchNotice) async -> String? {
        guard let command else {
            _ = DesktopNotice.show(notice.event.title, notice.text, in: environment)
            return nil
        }
        // In variables, which the shell doesn't read as code.
        let variables = [
            "KEYTURN_EVENT": notice.event.rawValue, "KEYTURN_ACCOUNT": notice.account, "KEYTURN_MESSAGE": notice.text,
        ]
        let (all, patience) = (environment.merging(variables) { $1 }, 20.0)
        do throws(ChildProcess.StartFailure) {
            let process = try ChildProcess.start(["/bin/sh", "-c", command], environment: all)
            switch await process.wait(within: patience) {
            case .exited(0): return nil
            case .exited(let status): return "it ended with status \(status)"
            case .killed(let signal): return "signal \(signal) ended it"
            case nil:
                process.killGroup()
                return "it took longer than \(Int(patience)) seconds"
            }
        } catch {
            return error.reason
        }
    }
}

extension WatchNotice.Event {
    fileprivate var title: String {
        switch self {
        case .refreshed: "Tokens refreshed"
        case .notRefreshed: "Tokens not refreshed"
        case .signInExpires: "Sign-in expires soon"
        case .signInRequired: "Sign-in needed"
        }
    }
}
