import Console
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

struct PlainSignIn: Sendable {
    var methods: [SignInMethod]
    @Boxed var demand: Demand
    var account: MSALAccount?
    /// The user who must sign in, if not in the cache.
    var requiredUser: String?
    var loginHint: String?
    var prompt: MSALPromptType = .default

    private var settings: Settings { demand.settings }

    func result(of application: MSALPublicClientApplication, in surroundings: Surroundings) async throws -> MSALResult {
        let mayLend = application.configuration.browser == nil && (methods.isEmpty || methods.contains(.browser))
        let lender = mayLend ? CarriedTokens.lender(in: surroundings) : nil
        var surroundings = surroundings
        surroundings.machine.lendsBrowser = lender != nil
        return try await interruptible { [surroundings] in
            let first = MethodProposal(in: surroundings, for: application)
            // Only discovery says whether a device code works.
            if methods.isEmpty, first.best == .device { _ = try await application.offersDeviceCode() }
            var chain = SignInChain(methods, otherwise: MethodProposal(in: surroundings, for: application).usual)
            var turn = 0
            var previous: SignInAttempt?
            var earlier: (any Error)?
            while true {
                let attempt = SignInAttempt(
                    turn, of: chain, application: application, surroundings: surroundings, isQuiet: settings.isQuiet,
                    after: previous)
                previous = attempt
                do { return try await result(of: attempt, lender) } catch {
                    let report = Failure(error, at: surroundings.now())
                    // Nobody asked for a paste, and nobody is there to answer.
                    if let earlier, methods.isEmpty, report.name == Self.nothingPasted { throw earlier }
                    if chain.methods.dropFirst(turn + 1).contains(.device) {
                        _ = try? await application.offersDeviceCode()
                    }
                    let proposal = attempt.proposal
                    chain.keep(after: turn) { proposal.obstacle(to: $0) == nil }
                    guard
                        let rejection = chain.rejection(
                            of: turn, report, isAbsent: proposal.obstacle(to: attempt.method) != nil,
                            browserFailure: attempt.browserFailure)
                    else { throw error }
                    surroundings.tell(rejection.line + "\n")
                    earlier = error
                    turn += 1
                }
            }
        }
    }

    /// The name of the failure when the input ends before a response is pasted.
    static let nothingPasted = "nothingPasted"

    private static func noResponse(in surroundings: Surroundings, _ proposal: MethodProposal) -> Failure {
        Failure(
            surroundings.hasTypedInput ? .cancelled : .interactionRequired, name: nothingPasted,
            surroundings.hasTypedInput
                ? "The input ended without a pasted response."
                : "Standard input is closed or ended, so no response can be pasted.",
            nextStep: proposal.obstacle(to: .device) == nil ? "Use a terminal, or --method device." : "Use a terminal.")
    }

    /// Throws if these methods need input and there is none, before a client is registered for them.
    static func checkInput(of methods: [SignInMethod], in surroundings: Surroundings) throws {
        guard surroundings.lacksInput, !methods.isEmpty, methods.allSatisfy({ $0 == .paste }) else { return }
        throw noResponse(in: surroundings, MethodProposal(surroundings.machine))
    }

    private func result(of attempt: SignInAttempt, _ lender: CarriedTokens?) async throws -> MSALResult {
        switch attempt.method {
        case .browser: try await takingPastes(attempt, opening: attempt.surroundings.browser, at: lender)
        case .broker: try await browse(attempt, opening: nil)
        case .paste: try await takingPastes(attempt, opening: { _ in })
        case .device: try await enterCode(attempt)
        }
    }

    /// - Parameter opened: called when the browser was opened, or could not be.
    private func browse(
        _ attempt: SignInAttempt, opening open: (@Sendable (URL) async throws -> Void)?,
        opened: @escaping @Sendable () -> Void = {}
    ) async throws -> MSALResult {
        let webview = MSALWebviewParameters(in: attempt.surroundings, opening: open)
        webview.expectsPaste = attempt.method == .paste
        let parameters = MSALInteractiveTokenParameters(scopes: demand.scopes, webviewParameters: webview)
        parameters.account = account
        parameters.requiredUser = requiredUser
        parameters.loginHint = loginHint
        parameters.promptType = prompt
        try demand.fill(parameters)
        parameters.brokerPreference = preference(attempt)
        tell(attempt, parameters, opened)
        return try await attempt.application.acquireToken(with: parameters)
    }

    /// Doesn't use the profile's broker if the user chose another method.
    private func preference(_ attempt: SignInAttempt) -> MSALBrokerPreference {
        if attempt.method == .broker { return .only }
        let callsBroker = methods.contains(.broker) || attempt.application.configuration.linuxBrokerEnabled
        return callsBroker || attempt.method == .paste ? .never : .asConfigured
    }

    /// Waits for a response, from the browser or pasted. With `paste`, the end of the input ends the wait for one.
    private func takingPastes(
        _ attempt: SignInAttempt, opening open: (@Sendable (URL) async throws -> Void)?, at lender: CarriedTokens? = nil
    ) async throws -> MSALResult {
        guard attempt.takesPastes || lender != nil else { return try await browse(attempt, opening: open) }
        let needsPaste = attempt.method == .paste
        let (openings, opened) = AsyncStream.makeStream(of: Void.self)
        let (pages, page) = AsyncStream.makeStream(of: URL.self)
        let open = lender == nil ? open : { @Sendable in page.yield($0) }
        return try await withThrowingTaskGroup(of: MSALResult?.self) { group in
            group.addTask { try await browse(attempt, opening: open) { opened.yield() } }
            if let lender {
                group.addTask {
                    for await url in pages {
                        if !settings.isQuiet { attempt.surroundings.tell("  \(CarriedTokens.opening)\n") }
                        try await lender.open(url)
                        break
                    }
                    return nil
                }
            }
            if needsPaste {
                group.addTask {
                    // The shell has printed over the invitation.
                    for await signal in interruptions() where signal == SIGCONT {
                        attempt.surroundings.prompt(FlowNarrator.pasteInvitation + "\n")
                    }
                    throw CancellationError()
                }
            }
            if attempt.takesPastes {
                group.addTask {
                    // Input before the URL is printed waits. A browser in the terminal has ended when it counts as opened.
                    for await _ in openings { break }
                    let surroundings = attempt.surroundings
                    for await text in surroundings.pastes() where handOver(text, surroundings) { return nil }
                    guard needsPaste, !attempt.hasResponse.withLock({ $0 }) else { return nil }
                    try Task.checkCancellation()
                    throw Self.noResponse(in: surroundings, attempt.proposal)
                }
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    /// Whether the text is the response. If not, prints why, and the user can paste again.
    private func handOver(_ text: String, _ surroundings: Surroundings) -> Bool {
        do {
            try MSALPublicClientApplication.handlePastedResponse(text)
            return true
        } catch {
            let report = Failure(reporting: error)
            surroundings.prompt("  ! \(report.reason) \(report.advice)\n")
            return false
        }
    }

    private func enterCode(_ attempt: SignInAttempt) async throws -> MSALResult {
        let surroundings = attempt.surroundings
        let notice = DeviceCodeNotice(
            drawsPicture: surroundings.hasTerminal && !surroundings.machine.isDumb
                && !settings.usesLines(in: surroundings.environment),
            usesASCII: settings.usesASCII || !surroundings.usesUTF8)
        let sign = SignOfLife(settings, in: surroundings)
        // Printed even with --quiet: the user needs the code.
        let parameters = MSALDeviceCodeParameters(scopes: demand.scopes) { code in
            surroundings.errorWriter?.note(page: code.verificationURL)
            surroundings.prompt(notice.text(code, at: surroundings.now()))
            sign?.begin(until: code.expiresOn)
        }
        parameters.account = account
        parameters.requiredUser = requiredUser
        try demand.fill(parameters)
        tell(attempt, parameters, above: sign)
        let result = await Result { try await attempt.application.acquireToken(with: parameters) }
        await sign?.end()
        return try result.get()
    }

    private func tell(
        _ attempt: SignInAttempt, _ parameters: MSALParameters, above sign: SignOfLife? = nil,
        _ opened: @escaping @Sendable () -> Void = {}
    ) {
        parameters.flowRequestHandler = RequestHolds.handler
        parameters.flowExchangeHandler = RequestHolds.exchanges
        parameters.flowEventHandler = { event in
            if event.step == .waitForResponse, event.phase == .succeeded { attempt.hasResponse.withLock { $0 = true } }
            defer {
                attempt.heed(event)
                if event.step == .openBrowser, [.succeeded, .failed].contains(event.phase) { opened() }
            }
            let lines = attempt.lines(event).map { $0 + "\n" }.joined()
            guard !lines.isEmpty else { return }
            sign?.clear()
            if attempt.needsUser(for: event) {
                attempt.surroundings.prompt(lines)
            } else {
                attempt.surroundings.tell(lines)
            }
        }
    }
}

extension MSALResult {
    /// Warns if the tokens could not be cached, also with `--quiet`: the user must act. `-o json` has it in the output.
    func warned(in surroundings: Surroundings) -> MSALResult {
        guard let error = cachingError else { return self }
        let report = Failure(reporting: error)
        surroundings.tell("keyturn: \(report.reason)\n         \(report.advice)\n")
        return self
    }

    /// Throws if the tokens could not be cached, for callers that need the account in the cache.
    func cached() throws -> MSALResult {
        if let cachingError { throw cachingError }
        return self
    }
}

extension MSALWebviewParameters {
    /// For a command's browser, which can be a text browser in the terminal.
    convenience init(in surroundings: Surroundings, opening open: (@Sendable (URL) async throws -> Void)?) {
        self.init()
        openURLHandler = open
        if surroundings.hasTerminal { terminalLender = { browse in await browse() } }
    }
}

/// A line on a terminal that says that a command waits for the user, and how long it still does.
final class SignOfLife: Sendable {
    private let surroundings: Surroundings
    private let glyphs: Glyphs
    private let hasMotion: Bool
    private let ticking = Locked<Task<Void, Never>?>(nil)
    /// Whether the line is on the terminal. Locked while it's written, so that no other output is in it.
    private let isShown = Locked(false)

    /// `nil` where a line can't be replaced, or the user wants none.
    init?(_ settings: Settings, in surroundings: Surroundings) {
        guard surroundings.errors.isTerminal, surroundings.errorWriter == nil, !surroundings.machine.isDumb,
            !settings.isQuiet, !settings.usesLines(in: surroundings.environment)
        else { return nil }
        self.surroundings = surroundings
        glyphs = settings.usesASCII || !surroundings.usesUTF8 ? .ascii : .unicode
        hasMotion = !settings.usesNoMotion
    }

    func begin(until end: Date) {
        let task = Task(executorPreference: ThreadPool.current) { [self] in
            var tick = 0
            repeat {
                let left = Moment.countdown(max(0, Int(end.timeIntervalSince(surroundings.now()))))
                show("\(glyphs.spinnerFrame(tick: tick, motion: hasMotion)) Waiting for you: \(left) left")
                tick += 1
            } while (try? await sleep(for: .seconds(1))) != nil
        }
        ticking.withLock { $0 = task }
    }

    private func show(_ text: String) {
        guard !Task.isCancelled else { return }
        isShown.withLock { isShown in
            try? surroundings.errors.write("\r\(text)\u{1B}[K")
            isShown = true
        }
    }

    /// Removes the line before other output; the next second shows it again.
    func clear() {
        isShown.withLock { isShown in
            if isShown { try? surroundings.errors.write("\r\u{1B}[K") }
            isShown = false
        }
    }

    func end() async {
        let task = ticking.withLock { $0 }
        task?.cancel()
        await task?.value
        clear()
    }
}
