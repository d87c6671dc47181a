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
        /// The last that keeps choices; the next one waits for it, so that the newest is what stays.
        var keeping: Task<Void, Never>?
        /// Asks what the authority offers; the end of the program does not wait for the response.
        var learning: Task<Void, Never>?
    }

    /// Switching to another profile replaces it.
    private let application: Locked<MSALPublicClientApplication?>
    let applications: ScenarioApplications
    let services: ProgramServices
    private let profiles: (any ProfileBook)?
    let now: @Sendable () -> Date
    private let work = Locked(Work())

    package init(
        _ application: MSALPublicClientApplication?, scenario: OpenedScenario? = nil,
        profiles: (any ProfileBook)? = nil, now: @escaping @Sendable () -> Date = { Date() },
        services: ProgramServices = ProgramServices()
    ) {
        self.application = Locked(application)
        applications = ScenarioApplications(scenario)
        self.profiles = profiles
        self.now = now
        self.services = services
    }

    package func perform(_ effect: Effect, mailbox: Mailbox) {
        switch effect {
        case .readAccounts(let id):
            askForDeviceCodes(id, mailbox)
            start(id) { [self] in
                let outcome = await outcome { try await readAccounts(mailbox) }
                mailbox.post(.accountsRead(id, outcome, at: now()))
            }
        case .signIn(let id, let request):
            start(id) { [self] in
                let outcome = await outcome { try await signIn(id, request, mailbox) }
                mailbox.post(.acquired(id, outcome, at: now()))
            }
        case .acquireSilently(let id, let account, let scopes, let isForced):
            start(id) { [self] in
                let outcome = await outcome { try await acquireSilently(id, account, scopes, isForced, mailbox) }
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
            start(id) { [self] in mailbox.post(.copied(text, services.copy(text.text))) }
        case .save(let id, let text):
            start(id) { [self] in save(text, mailbox) }
        case .profiles(let id, let work):
            start(id) { [self] in
                guard let profiles else { return }
                mailbox.post(.profiles(id, await perform(work, on: profiles)))
            }
        case .check(let id, let profile):
            start(id) { [self] in mailbox.post(.checked(id, await services.check(profile), at: now())) }
        case .report(let id, let profile):
            start(id) { [self] in
                save(CopiedText("the support report", fileName: "report.txt", await services.report(profile)), mailbox)
            }
        case .askURLHandler(let id, let profile):
            start(id) { [self] in mailbox.post(.urlHandlerAsked(id, await services.urlHandler(profile))) }
        case .keep(let choices, let profile):
            keep(choices, profile, mailbox)
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
        let (tasks, keeping, learning) = work.withLock { (Array($0.tasks.values), $0.keeping, $0.learning) }
        learning?.cancel()
        for task in tasks { await task.value }
        await keeping?.value
        await learning?.value
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

    /// Nobody waits for it, but the next that keeps and the end of the program.
    private func keep(_ choices: KeptChoices, _ profile: String, _ mailbox: Mailbox) {
        work.withLock { work in
            work.keeping = Task(executorPreference: ThreadPool.current) { [self, before = work.keeping] in
                await before?.value
                do { try services.keep(choices, profile) } catch {
                    mailbox.post(.choicesNotKept(ErrorReport(error as NSError, at: now())))
                }
            }
        }
    }

    private func save(_ text: CopiedText, _ mailbox: Mailbox) {
        mailbox.post(.saved(text, outcome { try services.save(text.text, text.fileName) }))
    }

    func outcome<Value>(_ body: () throws -> Value) -> Outcome<Value> {
        do { return .success(try body()) } catch { return .failure(ErrorReport(error as NSError, at: now())) }
    }

    func outcome<Value>(_ body: () async throws -> Value) async -> Outcome<Value> {
        do { return .success(try await body()) } catch { return .failure(ErrorReport(error as NSError, at: now())) }
    }
}

extension EffectRunner {
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

    /// So that the program proposes no code where the authority offers none. A failure is not reported here: a sign-in
    /// meets the same one.
    private func askForDeviceCodes(_ id: EffectID, _ mailbox: Mailbox) {
        work.withLock { work in
            work.learning?.cancel()
            work.learning = Task(executorPreference: ThreadPool.current) { [self] in
                guard let isOffered = try? await ready().offersDeviceCode() else { return }
                mailbox.post(.deviceCodeOffer(id, isOffered))
            }
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
        follow(parameters, of: application, id, mailbox) { event in
            guard request.way == .paste, let page = event.authorizationURL else { return }
            mailbox.post(.pagePicture(id, QRCode(page.absoluteString)))
        }
        return Acquisition(try await application.acquireToken(with: parameters))
    }

    func presentation(of way: SignInWay) -> MSALWebviewParameters {
        let presentation = MSALWebviewParameters()
        // The address is on the screen, which is all that pasting needs.
        let opensNothing: @Sendable (URL) async throws -> Void = { _ in }
        presentation.openURLHandler = way == .paste ? opensNothing : services.openURL
        presentation.terminalLender = services.lendTerminal
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
        follow(parameters, of: application, id, mailbox)
        return Acquisition(try await application.acquireToken(with: parameters))
    }

    private func acquireSilently(
        _ id: EffectID, _ account: String, _ scopes: [String], _ isForced: Bool, _ mailbox: Mailbox
    ) async throws -> Acquisition {
        let application = try ready()
        let parameters = MSALSilentTokenParameters(
            scopes: scopes, account: try await self.account(account, application))
        parameters.forceRefresh = isForced
        follow(parameters, of: application, id, mailbox)
        return Acquisition(try await application.acquireTokenSilent(with: parameters))
    }

    /// - Parameter look: sees each event after the model.
    func follow(
        _ parameters: MSALParameters, of application: MSALPublicClientApplication, _ id: EffectID, _ mailbox: Mailbox,
        _ look: @escaping @Sendable (MSALFlowEvent) -> Void = { _ in }
    ) {
        parameters.flowEventHandler = { event in
            mailbox.post(.flowEvent(id, event))
            if (event.step, event.phase) == (.findAuthority, .succeeded),
                let isOffered = application.keptDeviceCodeOffer
            {
                mailbox.post(.deviceCodeOffer(id, isOffered))
            }
            look(event)
        }
        parameters.flowExchangeHandler = { mailbox.post(.flowExchange(id, $0)) }
    }

    private func remove(_ identifier: String) async throws -> Message.Removed {
        let application = try ready()
        let account = try await account(identifier, application)
        try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
        return Message.Removed()
    }
}
