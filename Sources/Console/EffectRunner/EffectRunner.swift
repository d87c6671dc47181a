import Foundation
import KeyturnSystem
import MSAL

/// Performs effects with the library's public API. Of this module, only it starts unstructured tasks and reads the clock.
package final class EffectRunner: EffectPerformer {
    private struct Running {
        /// Those that are harmless spend nothing. Quitting waits only a moment for them.
        var tasks: [EffectID: (task: Task<Void, Never>, isHarmless: Bool)] = [:]
        var ticking: Task<Void, Never>?
        /// The last task that saves choices. The next one waits for it, so that the newest choices win.
        var keeping: Task<Void, Never>?
        /// The task that reads what the authority supports. Quitting doesn't wait for it.
        var learning: Task<Void, Never>?
    }

    private let application: Locked<MSALPublicClientApplication?>
    private let openedScenario: Locked<OpenedScenario?>
    let services: ProgramServices
    let now: @Sendable () -> Date
    /// How long quitting waits for harmless work until it cancels it, and then again until it leaves it to its fate.
    private let patience: Duration
    private let work = Locked(Running())
    private let holds = RequestHolds()

    package init(
        _ application: MSALPublicClientApplication?, scenario: OpenedScenario? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        services: ProgramServices = ProgramServices(), patience: Duration = .milliseconds(800)
    ) {
        (self.application, openedScenario) = (Locked(application), Locked(scenario))
        (self.now, self.services, self.patience) = (now, services, patience)
    }

    package func perform(_ effect: Effect, mailbox: Mailbox) {
        switch effect {
        case .work(let id, let work):
            let tell = teller(id, mailbox)
            start(id, isHarmless: work.isHarmless) { [self] in
                if let result = await result(of: work, id, tell) { mailbox.post(.result(id, result, at: now())) }
                // Afterwards, because the cache reports its damage only once.
                if work == .readAccounts { requestDeviceCodes(tell) }
            }
        case .cancel(let id): work.withLock { $0.tasks[id]?.task }?.cancel()
        case .act(let act, let id, let page, let step, let isCode):
            start(act) { [self] in await self.act(on: page, step, isCode, teller(id, mailbox)) }
        case .release(let id, let edits): holds.release(id, edits)
        case .deliver(let id, let text):
            // Not started under the sign-in's ID, which the waiting sign-in uses.
            do { try MSALPublicClientApplication.handlePastedResponse(text) } catch {
                mailbox.post(.progress(id, .pasteRejected(Failure(error, at: now()))))
            }
        case .saveChoices(let choices, let profile):
            save(mailbox) { [services] in try services.saveChoices(choices, profile) }
        case .saveDefaultAccount(let account, let profile):
            save(mailbox) { [services] in try services.saveDefaultAccount(account, profile) }
        case .display(let display, let isSaved):
            services.display(display)
            if isSaved { save(mailbox) { [services] in try services.saveDisplay(display) } }
        case .forgetTyped: services.forgetTyped()
        }
    }

    typealias Teller = @Sendable (Progress) -> Void

    private func teller(_ id: EffectID, _ mailbox: Mailbox) -> Teller { { mailbox.post(.progress(id, $0)) } }

    /// The result of work; nil if it ended without one.
    private func result(of work: Work, _ id: EffectID, _ tell: @escaping Teller) async -> WorkResult? {
        switch work {
        case .held(let flow):
            await RequestHolds.$hold.withValue(RequestHolds.Hold(holds.handler(tell, of: id))) {
                await result(of: flow, id, tell)
            }
        case .readAccounts: .accounts(await outcome { try await readAccounts(tell) })
        case .takeBack(let agreement): .accounts(await takeBack(agreement, tell))
        case .signIn(let request): .acquired(await outcome { try await signIn(request, tell) })
        case .acquireSilently(let account, let scopes, let isForced):
            .acquired(await outcome { try await acquireSilently(account, scopes, isForced, tell) })
        case .remove(let account, let revokes): .removed(await outcome { try await remove(account, revokes, tell) })
        case .signOut(let account): .signedOut(await outcome { try await signOut(account, tell) })
        case .openScenario(let name, let steps):
            .scenarioOpened(await outcome { try await openScenario(name, replaying: steps) })
        case .performStep(let step, let isScripted): await result(of: step, isScripted, tell)
        // Runs in a task of its own, because the terminal may read slowly.
        case .copy(let text): .copied(.text(text), services.copy(text.text))
        case .save(let text): .saved(text, await outcome { try services.save(text.text, text.fileName) })
        case .copyToken(let acquisition, let saves): await copyToken(of: acquisition, saves: saves)
        case .profiles, .editConfiguration, .export, .check, .explain, .review, .compare, .listFolder, .verify,
            .checkURLHandler, .doors, .runCommand:
            await services.perform(work, services) { self.replace(application: $0) }
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
        let work = work.withLock(\.self)
        work.learning?.cancel()
        for (task, isHarmless) in work.tasks.values where !isHarmless { await task.value }
        await work.keeping?.value
        await work.learning?.value
        let harmless = work.tasks.values.filter(\.isHarmless).map(\.task)
        guard !harmless.isEmpty else { return }
        // Not a group, which would wait for a task that doesn't end.
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        Task(executorPreference: ThreadPool.current) {
            for task in harmless { await task.value }
            end.finish()
        }
        let waiting = Task(executorPreference: ThreadPool.current) { [patience] in
            for _ in 1...2 {
                guard (try? await sleep(for: patience)) != nil else { return }
                for task in harmless { task.cancel() }
            }
            end.finish()
        }
        for await _ in ends {}
        waiting.cancel()
    }

    /// - Parameter isHarmless: whether quitting can abandon it.
    private func start(_ id: EffectID, isHarmless: Bool = false, _ body: @escaping @Sendable () async -> Void) {
        // The lock stores the task before it can remove itself at its end.
        work.withLock { work in
            let task = ThreadPool.startWork { [self] in
                await body()
                self.work.withLock { $0.tasks[id] = nil }
            }
            work.tasks[id] = (task, isHarmless)
        }
    }

    /// Saves choices in the background. Only the next save and quitting wait for it.
    private func save(_ mailbox: Mailbox, _ save: @escaping @Sendable () throws -> Void) {
        work.withLock { work in
            work.keeping = ThreadPool.startWork { [self, before = work.keeping] in
                await before?.value
                do { try save() } catch { mailbox.post(.choicesNotSaved(Failure(error, at: now()))) }
            }
        }
    }

    func outcome<Value>(_ body: () async throws -> Value) async -> Outcome<Value> {
        do { return .success(try await body()) } catch { return .failure(Failure(error, at: now())) }
    }

    /// No application is open, because the program started with a problem.
    struct NoApplication: Error {}

    func ready(_ index: Int = 0) throws -> MSALPublicClientApplication {
        guard let application = try scenario?.application(index) ?? application.withLock(\.self) else {
            throw NoApplication()
        }
        return application
    }

    var scenario: OpenedScenario? { openedScenario.withLock(\.self) }

    /// Opens a scenario; nil closes it.
    func use(_ scenario: OpenedScenario?) { openedScenario.withLock { $0 = scenario } }

    /// Replaces the application. Running effects keep the one they started with.
    func replace(application new: MSALPublicClientApplication) {
        use(nil)
        application.withLock { $0 = new }
    }

    /// The cached accounts and the identity broker's. If the broker fails, the cached ones alone.
    private func readAccounts(_ tell: Teller) async throws -> [AccountSummary] {
        // The sign-in that opens it may only begin.
        guard application.withLock({ $0 != nil }) || scenario != nil else { return [] }
        let application = try ready()
        tell(.cacheOpened(try application.cacheProtection))
        let tokens = try application.cachedTokens()
        let accounts: [MSALAccount]
        do {
            accounts = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        } catch {
            accounts = try application.allAccounts()
            tell(.unread(Failure(error, at: now())))
        }
        let others = try application.otherAuthorities(of: accounts)
        let agreements = Dictionary(grouping: try application.tokenAgreements()) { $0.accountIdentifier ?? "" }
        return accounts.map { account in
            var summary = AccountSummary(account, tokens: tokens)
            summary.otherAuthority = others[summary.identifier]?.absoluteString
            summary.agreements = agreements[summary.identifier] ?? []
            return summary
        }
    }

    private func takeBack(_ agreement: MSALTokenAgreement, _ tell: Teller) async -> Outcome<[AccountSummary]> {
        let outcome = await outcome {
            try ready().forget(agreement)
            return try await readAccounts(tell)
        }
        if case .failure(let report) = outcome { tell(.unread(report)) }
        return outcome
    }

    /// Failures are ignored, because a sign-in would report them, except damage of the cache, which is reported only once.
    private func requestDeviceCodes(_ tell: @escaping Teller) {
        // In a walk, the first sign-in shows these requests.
        guard scenario?.profile.walk == nil else { return }
        work.withLock { work in
            work.learning?.cancel()
            work.learning = ThreadPool.startWork { [self] in
                do {
                    tell(.deviceCodeOffer(try await ready().offersDeviceCode()))
                } catch {
                    let report = Failure(error, at: now())
                    if report.kind == .store { tell(.unread(report)) }
                }
            }
        }
    }

    func account(_ identifier: String, _ application: MSALPublicClientApplication) async throws -> MSALAccount {
        do {
            return try application.account(forIdentifier: identifier)
        } catch {
            let others = try await application.accountsFromDevice(
                for: MSALAccountEnumerationParameters(identifier: identifier))
            guard let account = others.first else { throw error }
            return account
        }
    }

    private func acquireSilently(
        _ account: String, _ scopes: [String], _ isForced: Bool, _ tell: @escaping Teller
    ) async throws -> Acquisition {
        let application = try ready()
        let account = try await self.account(account, application)
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.forceRefresh = isForced
        follow(parameters, of: application, tell)
        do {
            return try Acquisition(cached: try await application.acquireTokenSilent(with: parameters))
        } catch let error as NSError where error.says(account, isNotOf: application) {
            var report = Failure(error, at: now())
            report.headline = "The account belongs to another authority."
            report.nextStep = .chooseProfile
            let profiles = ((try? services.entries()) ?? []).map { (name: $0.name, authority: $0.draft.authority) }
            let home = AccountHome(of: (try? application.authorities(of: account)) ?? [], among: profiles)
            report.advice = home.advice { "Switch to the profile \($0)." }
            throw report
        }
    }

    func follow(_ parameters: MSALParameters, of application: MSALPublicClientApplication, _ tell: @escaping Teller) {
        parameters.flowEventHandler = { event in
            tell(.event(event))
            if (event.step, event.phase) == (.findAuthority, .succeeded),
                let isOffered = application.cachedDeviceCodeSupport
            {
                tell(.deviceCodeOffer(isOffered))
            }
        }
        parameters.flowExchangeHandler = { tell(.exchange($0)) }
        parameters.flowRequestHandler = RequestHolds.handler
    }
}
