import AuthEngine
import Diagnosis
import Foundation
import Locks
import Tasks
import TerminalUI

/// Runs effects on the library, by its public API. The only place of the program that starts tasks and
/// reads the clock.
package final class EffectRunner: EffectPerformer {
    private struct Work {
        var tasks: [EffectID: Task<Void, Never>] = [:]
        var ticking: Task<Void, Never>?
    }

    /// Switching to another profile replaces it.
    private let application: Locked<MSALPublicClientApplication?>
    let applications: ScenarioApplications
    let scenarios: (@Sendable (String) async throws -> OpenedScenario)?
    private let profiles: (any ProfileBook)?
    let now: @Sendable () -> Date
    private let openURL: (@Sendable (URL) async throws -> Void)?
    private let lendTerminal: (@Sendable (@Sendable () async -> Void) async -> Void)?
    private let copy: @Sendable (String) -> CopyOutcome
    private let save: @Sendable (_ text: String, _ name: String) throws -> String
    private let check: @Sendable (ProgramProfile?) async -> CheckReport
    private let report: @Sendable (ProgramProfile?) async -> String
    private let work = Locked(Work())

    package init(
        _ application: MSALPublicClientApplication?, scenario: OpenedScenario? = nil,
        scenarios: (@Sendable (String) async throws -> OpenedScenario)? = nil, profiles: (any ProfileBook)? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        openURL: (@Sendable (URL) async throws -> Void)? = nil,
        lendTerminal: (@Sendable (@Sendable () async -> Void) async -> Void)? = nil,
        copy: @escaping @Sendable (String) -> CopyOutcome = { _ in .refused("There is no terminal.") },
        save: @escaping @Sendable (_ text: String, _ name: String) throws -> String = EffectRunner.noFiles,
        check: @escaping @Sendable (ProgramProfile?) async -> CheckReport = { _ in CheckReport([]) },
        report: @escaping @Sendable (ProgramProfile?) async -> String = { _ in "" }
    ) {
        self.check = check
        self.report = report
        self.lendTerminal = lendTerminal
        self.copy = copy
        self.save = save
        self.application = Locked(application)
        applications = ScenarioApplications(scenario)
        self.scenarios = scenarios
        self.profiles = profiles
        self.now = now
        self.openURL = openURL
    }

    package func perform(_ effect: Effect, mailbox: Mailbox) {
        switch effect {
        case .readAccounts(let id):
            start(id) { [self] in
                let outcome = await outcome { try await readAccounts(mailbox) }
                mailbox.post(.accountsRead(id, outcome, at: now()))
            }
        case .signIn(let id, let request):
            start(id) { [self] in
                let outcome = await outcome { try await signIn(id, request, mailbox) }
                mailbox.post(.acquired(id, outcome, at: now()))
            }
        case .acquireSilently(let id, let account, let scopes):
            start(id) { [self] in
                let outcome = await outcome { try await acquireSilently(id, account, scopes, mailbox) }
                mailbox.post(.acquired(id, outcome, at: now()))
            }
        case .remove(let id, let account):
            start(id) { [self] in
                let outcome = await outcome { try await remove(account) }
                mailbox.post(.removed(id, outcome, at: now()))
            }
        case .openScenario(let id, let name):
            start(id) { [self] in
                mailbox.post(.scenarioOpened(id, await outcome { try await openScenario(name) }))
            }
        case .performStep(let id, let step):
            start(id) { [self] in await post(id, step, mailbox) }
        case .deliver(let id, let text):
            // On the sign-in's own id nothing is started: it is the one that waits.
            do {
                try MSALPublicClientApplication.handlePastedResponse(text)
            } catch {
                mailbox.post(.pasteRefused(id, ErrorReport(error as NSError, at: now())))
            }
        case .copy(let id, let text):
            // A terminal that reads slowly keeps nobody else waiting.
            start(id) { [self] in mailbox.post(.copied(text, copy(text.text))) }
        case .save(let id, let text):
            start(id) { [self] in mailbox.post(.saved(text, outcome { try save(text.text, text.fileName) })) }
        case .profiles(let id, let work):
            start(id) { [self] in
                guard let profiles else { return }
                mailbox.post(.profiles(id, await perform(work, on: profiles)))
            }
        case .check(let id, let profile):
            start(id) { [self] in mailbox.post(.checked(id, await check(profile), at: now())) }
        case .report(let id, let profile):
            start(id) { [self] in
                let text = CopiedText("the support report", fileName: "report.txt", await report(profile))
                mailbox.post(.saved(text, outcome { try save(text.text, text.fileName) }))
            }
        case .cancel(let id):
            work.withLock { $0.tasks[id] }?.cancel()
        }
    }

    package func keep(_ pace: Pace, mailbox: Mailbox) {
        let ticking = pace.interval.map { interval in
            Task(executorPreference: ThreadPool.current) { [now] in
                while (try? await sleep(for: .seconds(interval))) != nil { mailbox.post(.tick(now())) }
            }
        }
        work.withLock { work in
            work.ticking?.cancel()
            work.ticking = ticking
        }
    }

    package func finish() async {
        for task in work.withLock({ Array($0.tasks.values) }) { await task.value }
    }

    private func start(_ id: EffectID, _ body: @escaping @Sendable () async -> Void) {
        // The task is stored before it can end: it waits for the lock when it takes itself out.
        work.withLock { work in
            work.tasks[id] = Task(executorPreference: ThreadPool.current) { [self] in
                await body()
                self.work.withLock { $0.tasks[id] = nil }
            }
        }
    }

    func outcome<Value>(_ body: () throws -> Value) -> Outcome<Value> {
        do { return .success(try body()) } catch { return .failure(ErrorReport(error as NSError, at: now())) }
    }

    func outcome<Value>(_ body: () async throws -> Value) async -> Outcome<Value> {
        do { return .success(try await body()) } catch { return .failure(ErrorReport(error as NSError, at: now())) }
    }
}

extension EffectRunner {
    /// For where no files are written: it says so.
    package static let noFiles: @Sendable (String, String) throws -> String = { _, _ in
        throw CocoaError(.fileWriteNoPermission)
    }

    /// There is nothing to run effects on: the program started with a problem, so no screen asks for any.
    struct NoApplication: Error {}

    /// A scenario's application, by its place among those that share the cache, else the profile's.
    func ready(_ index: Int = 0) throws -> MSALPublicClientApplication {
        guard let application = try applications.application(index) ?? application.withLock(\.self) else {
            throw NoApplication()
        }
        return application
    }

    /// From now on effects are run on this one; those that run already end on the one they began with.
    func replace(application new: MSALPublicClientApplication) {
        applications.use(nil)
        application.withLock { $0 = new }
    }

    /// Those of the cache also when an identity broker, asked for those that it knows, fails.
    private func readAccounts(_ mailbox: Mailbox) async throws -> [AccountSummary] {
        let application = try ready()
        mailbox.post(.cacheOpened(try application.cacheProtection))
        let tokens = try application.cachedTokens()
        do {
            return try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
                .map { AccountSummary($0, tokens: tokens) }
        } catch {
            let cached = try application.allAccounts()
            mailbox.post(.deviceAccountsUnread(ErrorReport(error as NSError, at: now())))
            return cached.map { AccountSummary($0, tokens: tokens) }
        }
    }

    /// Of the cache, else of those that an identity broker adds.
    private func account(
        _ identifier: String, _ application: MSALPublicClientApplication
    ) async throws -> MSALAccount {
        do {
            return try application.account(forIdentifier: identifier)
        } catch {
            let others = try await application.accountsFromDevice(
                for: MSALAccountEnumerationParameters(identifier: identifier))
            guard let account = others.first else { throw error }
            return account
        }
    }

    /// Without a broker the next way of the sign-in comes. Whoever goes another way wants no broker that the profile
    /// would ask.
    private func brokerPreference(
        _ way: SignInWay, _ application: MSALPublicClientApplication
    ) -> MSALBrokerPreference {
        if way == .broker { return .only }
        return application.configuration.linuxBrokerEnabled || way == .paste ? .never : .asConfigured
    }

    private func signIn(_ id: EffectID, _ request: SignInRequest, _ mailbox: Mailbox) async throws -> Acquisition {
        if request.way == .device { return try await signInWithCode(id, request, mailbox) }
        let application = try ready()
        let parameters = MSALInteractiveTokenParameters(
            scopes: request.scopes, webviewParameters: presentation(of: request.way))
        try request.fill(parameters, for: application)
        if let identifier = request.account { parameters.account = try await account(identifier, application) }
        parameters.brokerPreference = brokerPreference(request.way, application)
        request.fill(parameters)
        follow(parameters, id, mailbox)
        parameters.flowEventHandler = { event in
            mailbox.post(.flowEvent(id, event))
            guard request.way == .paste, let page = event.authorizationURL else { return }
            mailbox.post(.pagePicture(id, QRCode(page.absoluteString)))
        }
        return Acquisition(try await application.acquireToken(with: parameters))
    }

    func presentation(of way: SignInWay) -> MSALWebviewParameters {
        let presentation = MSALWebviewParameters()
        // The address is on the screen, which is all that pasting needs.
        let opensNothing: @Sendable (URL) async throws -> Void = { _ in }
        presentation.openURLHandler = way == .paste ? opensNothing : openURL
        presentation.terminalLender = lendTerminal
        return presentation
    }

    func deviceCodeParameters(
        _ id: EffectID, _ scopes: [String], _ mailbox: Mailbox
    ) -> MSALDeviceCodeParameters {
        MSALDeviceCodeParameters(scopes: scopes) { code in
            let page = code.verificationURLComplete ?? code.verificationURL
            mailbox.post(.deviceCode(id, ShownDeviceCode(code, picture: QRCode(page.absoluteString))))
        }
    }

    private func signInWithCode(
        _ id: EffectID, _ request: SignInRequest, _ mailbox: Mailbox
    ) async throws -> Acquisition {
        let application = try ready()
        let parameters = deviceCodeParameters(id, request.scopes, mailbox)
        try request.fill(parameters, for: application)
        if let identifier = request.account { parameters.account = try await account(identifier, application) }
        follow(parameters, id, mailbox)
        return Acquisition(try await application.acquireToken(with: parameters))
    }

    private func acquireSilently(
        _ id: EffectID, _ account: String, _ scopes: [String], _ mailbox: Mailbox
    ) async throws -> Acquisition {
        let application = try ready()
        let parameters = MSALSilentTokenParameters(
            scopes: scopes, account: try await self.account(account, application))
        follow(parameters, id, mailbox)
        return Acquisition(try await application.acquireTokenSilent(with: parameters))
    }

    private func follow(_ parameters: MSALParameters, _ id: EffectID, _ mailbox: Mailbox) {
        parameters.flowEventHandler = { mailbox.post(.flowEvent(id, $0)) }
        parameters.flowExchangeHandler = { mailbox.post(.flowExchange(id, $0)) }
    }

    private func remove(_ identifier: String) async throws -> Message.Removed {
        let application = try ready()
        let account = try await account(identifier, application)
        try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
        return Message.Removed()
    }
}
