import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

/// Performs effects with the library's public API. The only place in the program that starts unstructured tasks and reads the
/// clock.
package final class EffectRunner: EffectPerformer {
    private struct Work {
        var tasks: [EffectID: Task<Void, Never>] = [:]
        var ticking: Task<Void, Never>?
        /// The last task that saves choices. The next one waits for it, so that the newest choices win.
        var keeping: Task<Void, Never>?
        /// The task that reads what the authority supports. Quitting doesn't wait for it.
        var learning: Task<Void, Never>?
        /// The effects that spend nothing and only read, or write a file in one step. Quitting waits a moment for them.
        var harmless: Set<EffectID> = []
    }

    /// The current application; replaced when the user switches profiles.
    private let application: Locked<MSALPublicClientApplication?>
    private let openedScenario: Locked<OpenedScenario?>
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
        openedScenario = Locked(scenario)
        self.profiles = profiles
        self.now = now
        self.services = services
    }

    package func perform(_ effect: Effect, mailbox: Mailbox) {
        switch effect {
        case .readAccounts(let id):
            start(id) { [self] in
                let outcome = await outcome { try await readAccounts(mailbox) }
                mailbox.post(.accountsRead(id, outcome, at: now()))
                // Afterwards, because the cache reports its damage only once.
                requestDeviceCodes(id, mailbox)
            }
        case .takeBack(let id, let agreement):
            start(id) { [self] in
                let outcome = await outcome { () async throws -> [AccountSummary] in
                    try ready().forget(agreement)
                    return try await readAccounts(mailbox)
                }
                if case .failure(let report) = outcome { mailbox.post(.unread(report)) }
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
        case .remove(let id, let account, let revokes):
            start(id) { [self] in
                let parameters = MSALSignoutParameters()
                parameters.revokesTokens = revokes
                let slow = MSALHTTPConfig.SlowRequests { mailbox.post(.slow(id, $0)) }
                let outcome = await outcome {
                    try await MSALHTTPConfig.$slowRequests.withValue(slow) { try await signOut(account, parameters) }
                }
                mailbox.post(.removed(id, outcome, at: now()))
            }
        case .signOut(let id, let account):
            start(id) { [self] in
                let parameters = MSALSignoutParameters(webviewParameters: presentation(of: .browser))
                parameters.signoutFromBrowser = true
                parameters.revokesTokens = true
                parameters.flowEventHandler = { mailbox.post(.flowEvent(id, $0)) }
                let outcome = await outcome {
                    try await signOut(account, parameters) { mailbox.post(.revocation(id, $0)) }
                }
                mailbox.post(.signedOut(id, outcome, at: now()))
            }
        case .openScenario(let id, let name, let steps):
            start(id) { [self] in
                mailbox.post(.scenarioOpened(id, await outcome { try await openScenario(name, replaying: steps) }))
            }
        case .performStep(let id, let step, let isScripted):
            start(id) { [self] in await post(id, step, isScripted, mailbox) }
        case .act(let act, let id, let page, let step, let isCode):
            start(act) { [self] in await self.act(for: id, on: page, step, isCode, mailbox) }
        case .deliver(let id, let text):
            // Not started under the sign-in's ID, which the waiting sign-in uses.
            do {
                try MSALPublicClientApplication.handlePastedResponse(text)
            } catch {
                mailbox.post(.pasteRejected(id, Failure(error, at: now())))
            }
        case .copy(let id, let text):
            // In a task of its own, because the terminal may read slowly.
            start(id) { [self] in mailbox.post(.copied(text, services.copy(text.text))) }
        case .save(let id, let text):
            start(id) { [self] in save(text, mailbox) }
        case .profiles(let id, let work):
            start(id) { [self] in
                guard let profiles else { return }
                mailbox.post(.profiles(id, await perform(work, on: profiles)))
            }
        case .check(let id, let profile):
            startHarmless(id) { [self] in
                mailbox.post(.checked(id, await services.check(profile).onScreen, at: now()))
            }
        case .explain(let id, let text, let profile, let isOffline):
            startHarmless(id) { [self] in
                mailbox.post(.explained(id, await outcome { try await services.explain(text, profile, isOffline) }))
            }
        case .review(let id, let text, let hidden, let profile):
            startHarmless(id) { [self] in
                mailbox.post(.reviewed(id, outcome { try services.review(text, hidden, profile) }))
            }
        case .compare(let id, let text, let other): compare(id, text, other, mailbox)
        case .listFolder(let id, let folder):
            startHarmless(id) { [self] in mailbox.post(.folderListed(id, outcome { try services.listFolder(folder) })) }
        case .doors(let id, let door):
            start(id) { [self] in mailbox.post(.doors(id, await services.doors(door), at: now())) }
        case .editConfiguration(let id):
            start(id) { [self] in
                mailbox.post(.configurationEdited(id, await outcome { try await editConfiguration() }))
            }
        case .verify(let id, let token, let profile):
            startHarmless(id) { [self] in mailbox.post(.verified(id, await services.verify(token, profile))) }
        case .copyToken(let id, let acquisition, let saves):
            start(id) { [self] in await copyToken(of: acquisition, saves: saves, mailbox) }
        case .export(let id, let export, let replaces, let profile):
            startHarmless(id) { [self] in
                let written = await outcome { try await write(export, replaces: replaces, profile) }
                mailbox.post(.exported(id, export, written))
            }
        case .checkURLHandler(let id, let profile):
            start(id) { [self] in mailbox.post(.urlHandlerChecked(id, await services.urlHandler(profile))) }
        case .saveChoices(let choices, let profile):
            save(mailbox) { [services] in try services.saveChoices(choices, profile) }
        case .saveDefaultAccount(let account, let profile):
            save(mailbox) { [services] in try services.saveDefaultAccount(account, profile) }
        case .display(let display, let isSaved):
            services.display(display)
            if isSaved { save(mailbox) { [services] in try services.saveDisplay(display) } }
        case .forgetTyped: services.forgetTyped()
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
        let work = work.withLock(\.self)
        work.learning?.cancel()
        for (id, task) in work.tasks where !work.harmless.contains(id) { await task.value }
        await work.keeping?.value
        await work.learning?.value
        let harmless = work.tasks.filter { work.harmless.contains($0.key) }.values
        guard !harmless.isEmpty else { return }
        // Not a group, which would wait for a task that doesn't end.
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        Task(executorPreference: ThreadPool.current) {
            for task in harmless { await task.value }
            end.finish()
        }
        let patience = Task(executorPreference: ThreadPool.current) {
            for _ in 1...2 {
                guard (try? await sleep(for: Self.patience)) != nil else { return }
                for task in harmless { task.cancel() }
            }
            end.finish()
        }
        for await _ in ends {}
        patience.cancel()
    }

    /// How long quitting waits for an export, such as a copy of evidence, before it cancels it, and then again until it leaves
    /// the work to its fate.
    private static let patience = Duration.seconds(1)

    /// Starts work that quitting can abandon.
    func startHarmless(_ id: EffectID, _ body: @escaping @Sendable () async -> Void) {
        work.withLock { _ = $0.harmless.insert(id) }
        start(id, body)
    }

    func start(_ id: EffectID, _ body: @escaping @Sendable () async -> Void) {
        // The lock stores the task before it can remove itself at its end.
        work.withLock { work in
            work.tasks[id] = ThreadPool.startWork { [self] in
                await body()
                self.work.withLock { work in
                    work.tasks[id] = nil
                    work.harmless.remove(id)
                }
            }
        }
    }

    /// Saves choices in the background. Only the next save and quitting wait for it.
    private func save(_ mailbox: Mailbox, _ save: @escaping @Sendable () throws -> Void) {
        work.withLock { work in
            work.keeping = ThreadPool.startWork { [self, before = work.keeping] in
                await before?.value
                do { try save() } catch {
                    mailbox.post(.choicesNotSaved(Failure(error, at: now())))
                }
            }
        }
    }

    private func editConfiguration() async throws -> Message.Edited {
        guard let profiles else { return Message.Edited() }
        try await services.edit(profiles.path, profiles.mistakeLine, services.lendTerminal)
        return Message.Edited()
    }

    private func save(_ text: CopiedText, _ mailbox: Mailbox) {
        mailbox.post(.saved(text, outcome { try services.save(text.text, text.fileName) }))
    }

    func outcome<Value>(_ body: () throws -> Value) -> Outcome<Value> {
        do { return .success(try body()) } catch { return .failure(Failure(error, at: now())) }
    }

    func outcome<Value>(_ body: () async throws -> Value) async -> Outcome<Value> {
        do {
            return .success(try await body())
        } catch {
            return .failure(Failure(error, at: now()))
        }
    }

    /// No application is open, because the program started with a problem.
    struct NoApplication: Error {}

    /// The open scenario's application at an index, or else the profile's.
    func ready(_ index: Int = 0) throws -> MSALPublicClientApplication {
        guard let application = try scenario?.application(index) ?? application.withLock(\.self) else {
            throw NoApplication()
        }
        return application
    }

    /// The open scenario; nil if none is open.
    var scenario: OpenedScenario? { openedScenario.withLock(\.self) }

    /// Opens a scenario; nil closes it.
    func use(_ scenario: OpenedScenario?) { openedScenario.withLock { $0 = scenario } }

    /// Replaces the application. Running effects keep the one they started with.
    func replace(application new: MSALPublicClientApplication) {
        use(nil)
        application.withLock { $0 = new }
    }

    /// The cached accounts and the identity broker's. If the broker fails, the cached ones alone.
    private func readAccounts(_ mailbox: Mailbox) async throws -> [AccountSummary] {
        let application = try ready()
        mailbox.post(.cacheOpened(try application.cacheProtection))
        let tokens = try application.cachedTokens()
        let accounts: [MSALAccount]
        do {
            accounts = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        } catch {
            accounts = try application.allAccounts()
            mailbox.post(.unread(Failure(error, at: now())))
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

    /// Learns whether the authority supports device codes. Failures are ignored, because a sign-in would report them,
    /// except damage of the cache, which is reported only once.
    private func requestDeviceCodes(_ id: EffectID, _ mailbox: Mailbox) {
        // In a walk, the first sign-in shows these requests.
        guard scenario?.profile.walk == nil else { return }
        work.withLock { work in
            work.learning?.cancel()
            work.learning = ThreadPool.startWork { [self] in
                do {
                    mailbox.post(.deviceCodeOffer(id, try await ready().offersDeviceCode()))
                } catch {
                    let report = Failure(error, at: now())
                    if report.kind == .store { mailbox.post(.unread(report)) }
                }
            }
        }
    }

    /// The account from the cache, or else from the identity broker.
    func account(
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

    private func acquireSilently(
        _ id: EffectID, _ account: String, _ scopes: [String], _ isForced: Bool, _ mailbox: Mailbox
    ) async throws -> Acquisition {
        let application = try ready()
        let account = try await self.account(account, application)
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.forceRefresh = isForced
        follow(parameters, of: application, id, mailbox)
        do {
            return try Acquisition(cached: try await application.acquireTokenSilent(with: parameters))
        } catch let error as NSError where error.says(account, isNotOf: application) {
            var report = Failure(error, at: now())
            report.headline = "The account belongs to another authority."
            report.nextStep = .chooseProfile
            report.advice = home(of: account, application).advice { "Switch to the profile \($0)." }
            throw report
        }
    }

    private func home(of account: MSALAccount, _ application: MSALPublicClientApplication) -> AccountHome {
        let entries = (try? profiles?.entries()) ?? []
        return AccountHome(
            of: (try? application.authorities(of: account)) ?? [],
            among: entries.map { ($0.name, $0.draft.authority) })
    }

    /// - Parameter look: called with each event after it's posted to the model.
    func follow(
        _ parameters: MSALParameters, of application: MSALPublicClientApplication, _ id: EffectID, _ mailbox: Mailbox,
        _ look: @escaping @Sendable (MSALFlowEvent) -> Void = { _ in }
    ) {
        parameters.flowEventHandler = { event in
            mailbox.post(.flowEvent(id, event))
            if (event.step, event.phase) == (.findAuthority, .succeeded),
                let isOffered = application.cachedDeviceCodeSupport
            {
                mailbox.post(.deviceCodeOffer(id, isOffered))
            }
            look(event)
        }
        parameters.flowExchangeHandler = { mailbox.post(.flowExchange(id, $0)) }
    }
}
