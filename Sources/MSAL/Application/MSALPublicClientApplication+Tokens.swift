import Dispatch
import Foundation
import KeyturnSystem
import OAuthCore

extension MSALPublicClientApplication {
    /// Signs the user in with a code that they enter on another device (RFC 8628). Not in MSAL for iOS and macOS.
    ///
    /// Throws ``MSALAuthenticationError``. The code is ``MSALError/userCanceled`` when the user declined or the task
    /// was cancelled.
    @discardableResult
    public nonisolated(nonsending) func acquireToken(
        with parameters: MSALDeviceCodeParameters
    ) async throws -> MSALResult {
        try await deviceCodeCall(parameters)()
    }

    /// Signs the user in with a code, like the `async` method. The block runs on the parameters' queue, or else on any
    /// thread.
    @preconcurrency
    public func acquireToken(
        with parameters: MSALDeviceCodeParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    ) {
        Completion(queue: parameters.completionBlockQueue, block: completionBlock)
            .run(.call(deviceCodeCall(parameters)))
    }

    /// Gets a token silently with the caller's ADAL caches instead of the configured ones.
    nonisolated(nonsending) func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters, adalCaches: @escaping @Sendable () -> [[UInt8]]
    ) async throws -> MSALResult {
        try await silentCall(parameters, adalCaches: adalCaches)()
    }

    typealias Call = @Sendable () async throws -> MSALResult

    /// Copies the parameters, because the caller may change them after the call.
    func interactiveCall(_ parameters: MSALInteractiveTokenParameters) -> Call {
        let correlationID = parameters.correlationId ?? dependencies.random.uuid()
        let recording = recording(correlationID)
        let context = context(parameters, correlationID, recording: recording)
        let webview = parameters.webviewParameters
        let isFollowed = parameters.flowEventHandler != nil
        log(correlationID).note(webview.webviewType)
        let request = Result {
            let extraScopes = Scopes(parameters.extraScopesToConsent ?? [])
            try extraScopes.checkNames()
            var token = try TokenRequestSnapshot(parameters, settings: settings, correlationID: correlationID)
            token.brokerPreference = parameters.brokerPreference
            token.requiredUser = parameters.requiredUser
            return InteractiveRequest(
                token: token, extraScopesToConsent: extraScopes, prompt: parameters.prompt,
                loginHint: parameters.loginHint, domainHint: parameters.domainHint,
                prefersQRPIN: parameters.preferredAuthMethod == .QRPIN,
                access: .init(
                    openURL: webview.openURLHandler, lendTerminal: webview.terminalLender,
                    isPrivate: webview.prefersEphemeralWebBrowserSession, expectsPaste: webview.expectsPaste,
                    isFollowed: isFollowed, limit: try parameters.limit()))
        }
        return call(.interactive, correlationID, recording, context.hold) { [self] in
            let request = try request.get()
            let outcome = try await context.deciding(request.token) { try await signedIn(request, context) }
            tellExternalAccounts(outcome)
            return try context.presented(outcome, by: request.token.scheme)
        }
    }

    private func signedIn(_ request: InteractiveRequest, _ context: FlowContext) async throws -> TokenOutcome {
        let broker = BrokerFlow(context: context, preference: request.token.brokerPreference)
        if let outcome = try await broker.signIn(request) { return outcome }
        return try await InteractiveFlow(context: context, request: request).run()
    }

    private func deviceCodeCall(_ parameters: MSALDeviceCodeParameters) -> Call {
        let correlationID = parameters.correlationId ?? dependencies.random.uuid()
        let recording = recording(correlationID)
        let context = context(parameters, correlationID, recording: recording)
        let polling = context.recorder?.recording(plainTransport, heldBy: context.hold) ?? plainTransport
        let showCode = parameters.deviceCodeHandler
        let request = Result {
            var token = try TokenRequestSnapshot(parameters, settings: settings, correlationID: correlationID)
            token.requiredUser = parameters.requiredUser
            return token
        }
        return call(.interactive, correlationID, recording, context.hold) { [self] in
            let request = try request.get()
            let outcome = try await context.deciding(request) {
                try await DeviceCodeFlow(context: context, polling: polling, request: request, showCode: showCode).run()
            }
            tellExternalAccounts(outcome)
            return try context.presented(outcome, by: request.scheme)
        }
    }

    func silentCall(_ parameters: MSALSilentTokenParameters, adalCaches: (@Sendable () -> [[UInt8]])? = nil) -> Call {
        let correlationID = parameters.correlationId ?? dependencies.random.uuid()
        let recording = recording(correlationID)
        let context = context(parameters, correlationID, recording: recording, adalCaches: adalCaches)
        let request = Result {
            SilentRequest(
                token: try TokenRequestSnapshot(parameters, settings: settings, correlationID: correlationID),
                forceRefresh: parameters.forceRefresh || parameters.challenge?.rejectsToken == true,
                usesOnlyCache: parameters.usesOnlyCache,
                mayRefreshInBrokersPlace: parameters.allowUsingLocalCachedRtWhenSsoExtFailed)
        }
        let question = question(parameters)
        return call(.silent, correlationID, recording, context.hold) { [self] in
            let request = try request.get()
            let stamp = question.flatMap { _ in dependencies.credentials.stamp() }
            let outcome = try await context.deciding(request.token) {
                try await SilentFlow(context: context, request: request).run()
            }
            tellExternalAccounts(outcome)
            if let question, let stamp { remember(outcome, to: question, stamp, correlationID) }
            return try context.presented(outcome, by: request.token.scheme)
        }
    }

    private func call(
        _ api: RequestTelemetry.API, _ correlationID: UUID, _ recording: FlowRecording?, _ hold: FlowHold?,
        _ flow: @escaping @Sendable () async throws -> TokenOutcome
    ) -> Call {
        { [self] in
            do {
                let outcome = try await ThreadPool.runBlocking(flow)
                try hold?.checkUnchanged()
                let result = MSALResult(outcome, correlationID: correlationID)
                if let declined = outcome.declined {
                    throw MSALAuthenticationError(declined, correlationID: correlationID, result: result)
                }
                if outcome.grant != nil, Task.isCancelled {
                    throw MSALAuthenticationError(
                        .user(.canceledAfterSaving), correlationID: correlationID, result: result)
                }
                note(api, correlationID, .success(result))
                recording?.finish(api.kind, at: dependencies.time.now(), nil)
                return result
            } catch {
                log(correlationID).serverText(of: error)
                let error =
                    error as? MSALAuthenticationError
                    ?? MSALAuthenticationError(translating: error, correlationID: correlationID)
                note(api, correlationID, .failure(error))
                recording?.finish(api.kind, at: dependencies.time.now(), error)
                throw error
            }
        }
    }

    /// Reports the end of a request to the log, to the next request's telemetry and to the program's telemetry handler.
    func note(
        _ api: RequestTelemetry.API, _ correlationID: UUID, _ outcome: Result<MSALResult, MSALAuthenticationError>
    ) {
        let log = log(correlationID)
        switch outcome {
        case .success(let result):
            log.info(
                """
                Got access token \(digest: result.accessToken.isEmpty ? nil : Secret(result.accessToken)) \
                for \(name: result.account.username) \
                (\(id: result.account.identifier)), scopes \(list: result.scopes), from the cache: \(result.isFromCache)
                """)
            if api == .silent, result.isFromCache { telemetry.withLock { $0.noteSilentHit() } }
        case .failure(let error):
            log.error("The request failed: \(error: error)")
            telemetry.withLock { $0.noteFailure(api, correlationID, error) }
        }
        TelemetryEvent(api: api, correlationID: correlationID, outcome: outcome).tell(dependencies.telemetry.snapshot)
    }
}

extension RequestTelemetry.API {
    fileprivate var kind: MSALFlowRecord.Kind { self == .silent ? .silent : .interactive }
}

extension MSALInteractiveTokenParameters {
    /// The prompt. A sign-in without the browser session asks for credentials, unless the caller chose another prompt.
    fileprivate var prompt: MSALPromptType {
        webviewParameters.prefersEphemeralWebBrowserSession && promptType == .promptIfNecessary ? .login : promptType
    }

    fileprivate func limit() throws -> Double? {
        guard responseTimeout > 0 else {
            throw AuthenticationFailure.invalid("The response timeout must be more than 0 seconds.")
        }
        return responseTimeout.isFinite ? min(responseTimeout, Self.longestTimeout) : nil
    }

    /// 30 years: more than any process lives, and within every clock's range.
    private static var longestTimeout: Double { 1e9 }
}

extension EngineLog {
    /// Programs written for Apple's systems choose web views that Linux doesn't have.
    func note(_ type: MSALWebviewType) {
        switch type {
        case .default, .authenticationSession: break
        case .safariViewController, .wkWebView:
            info("Linux has no web view for sign-in pages: the system's browser shows them instead.")
        }
    }
}
