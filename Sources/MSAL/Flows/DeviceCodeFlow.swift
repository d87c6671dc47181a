import Foundation
import OAuthCore

/// Signs a user in with a browser on another device (RFC 8628).
///
/// 1. Find the authority and its keys. Fail if it has no device authorization endpoint.
/// 2. Request a code and show it to the user.
/// 3. Make sure that there is room for the tokens. Poll for them at the authority's interval, until the user has finished or
///   declined or the code expires. Network errors, and pages of a proxy or filter, only slow the polling down.
/// 4. Validate the ID token. It has no nonce: no browser redirect is involved, and the device code is bound to this
///   client.
/// 5. Identify the user by ID token and, at Microsoft Entra ID, `client_info`. Without an ID token, use the userinfo
///   endpoint of an OpenID provider; fail if that has no subject.
/// 6. Check that the requested account or user signed in.
/// 7. Save everything in one transaction. If that fails, return the tokens with the reason. Cancellation interrupts only the
///   pauses between polls, neither a poll nor these steps (``Dependencies/finishing(_:)``).
struct DeviceCodeFlow {
    let context: FlowContext
    /// The transport without retries, which could poll faster than the authority allows.
    let polling: any HTTPTransport
    private(set) var request: TokenRequestSnapshot
    let showCode: @Sendable (MSALDeviceCode) -> Void

    func run() async throws -> TokenOutcome {
        try context.cached { try $0.prepare() }
        let authority = try await context.authorities.resolve(request.authority)
        var flow = self
        flow.request = try context.keepingGrant(request, at: authority)
        return try await flow.signIn(at: authority)
    }

    private func signIn(at found: ResolvedAuthority) async throws -> TokenOutcome {
        var authority = found
        try await context.findManagedServer()
        let reply = try await code(at: &authority)
        let code = MSALDeviceCode(reply, receivedAt: context.dependencies.time.now())
        showCode(code)
        return try await outcome(for: reply, until: code.expiresOn, at: authority)
    }

    /// Steps 4 to 7.
    private func saved(
        _ response: TokenResponse, from authority: ResolvedAuthority, in room: (any CredentialLease)?
    ) async throws -> TokenOutcome {
        var authority = authority
        context.keepRecipients(of: authority)
        let judged = try await context.judgeIDToken(of: response, from: authority)
        let find = context.settings.resource == nil ? context.userInfo : context.identity
        let userInfo = try await find(judged, response, &authority)
        let names = await context.names(judged, response, at: &authority)
        let exchanged = await context.exchanged(judged?.raw, at: &authority, for: request, isOfSignIn: true)
        let outcome = try context.outcome(
            of: response, judged, from: authority, for: request, userInfo: userInfo, namedBy: names,
            exchanged: exchanged)
        return try context.complete(signIn: outcome, for: request, in: room)
    }

    /// Step 2.
    private func code(at authority: inout ResolvedAuthority) async throws -> DeviceAuthorizationResponse {
        _ = try endpoint(of: authority)
        authority = try await context.withKeys(authority, for: request)
        context.reporter.started(.showCode, "Requesting a code from \(authority.tokenHost)")
        do {
            let reply = try await requestCode(&authority)
            for page in [reply.verificationURI, reply.verificationURIComplete].compactMap(\.self) {
                try context.dependencies.checkServer(of: page)
                try context.judge(page: page, of: authority)
            }
            context.reporter.succeeded(.showCode, "Enter the code at \(reply.verificationURI.absoluteString)")
            return reply
        } catch {
            context.reporter.failed(.showCode, "The authority issued no code")
            throw error
        }
    }

    private func endpoint(of authority: ResolvedAuthority) throws -> URL {
        if let endpoint = authority.configuration.deviceAuthorizationEndpoint { return endpoint }
        let url = authority.authority.url
        throw authority.configuration.unusableEndpoints["device_authorization_endpoint"].map {
            AuthenticationFailure.authority(.metadata(url, .notDiscovery($0)))
        } ?? .authority(.deviceCodeNotOffered(url))
    }

    private func requestCode(_ authority: inout ResolvedAuthority) async throws -> DeviceAuthorizationResponse {
        let sent = try await context.send(to: &authority, .deviceAuthorization) { authority in
            let endpoint = try endpoint(of: authority)
            try context.judge(.device, of: authority)
            return context.message(.deviceAuthorization, to: endpoint, at: authority, for: request).httpRequest
        }
        return try context.translating(sent, from: .deviceAuthorization, DeviceAuthorizationResponse.init(parsing:))
    }

    /// Steps 3 to 7.
    private func outcome(
        for code: DeviceAuthorizationResponse, until expiresOn: Date, at authority: ResolvedAuthority
    ) async throws -> TokenOutcome {
        context.reporter.started(.waitForCode, "Waiting for the code to be entered")
        do {
            return try await poll(
                with: code.deviceCode, DeviceCodePolling(interval: code.interval, expiresOn: expiresOn), authority)
        } catch let failure as FailureAfterWait {
            throw failure.cause
        } catch let failure as AuthenticationFailure {
            context.reporter.failed(.waitForCode, failure.outcomeOfWait)
            throw failure
        } catch is CancellationError {
            context.reporter.failed(.waitForCode, AuthenticationFailure.user(.canceled).outcomeOfWait)
            throw AuthenticationFailure.user(.canceled)
        }
    }

    private func poll(
        with deviceCode: Secret, _ schedule: DeviceCodePolling, _ authority: ResolvedAuthority
    ) async throws -> TokenOutcome {
        let time = context.dependencies.time
        var (schedule, authority) = (schedule, authority)
        // Why the last poll failed. The user may have entered the code nevertheless.
        var trouble: AuthenticationFailure?
        while case .poll(let pause) = schedule.step(at: time.now()) {
            try await time.sleep(seconds: pause)
            do {
                let (reply, current) = try await context.dependencies.finishing { [authority] in
                    try await pollOnce(with: deviceCode, authority)
                }
                authority = current
                trouble = nil
                switch reply {
                case .signedIn(let outcome): return outcome
                case .expired: throw AuthenticationFailure.user(.deviceCodeExpired)
                case .pending: schedule.note(.pending)
                case .slowDown:
                    schedule.note(.slowDown)
                    remark("The authority requests a longer polling interval")
                }
            } catch AuthenticationFailure.authority(.response(let failure)) where failure.kind == .unavailable {
                trouble = .authority(.response(failure))
                schedule.note(.trouble(retryAfter: failure.retryAfter))
                remark(
                    failure.isFromBetween
                        ? "Something responded in the authority's place; trying again later"
                        : "The server is busy; trying again later")
            } catch AuthenticationFailure.network(let failure, let host) where failure.meaning.retry != .never {
                trouble = .network(failure, host: host)
                schedule.note(.trouble(retryAfter: nil))
                remark("Can't reach \(authority.tokenHost); trying again later")
            }
        }
        if case .expire(let pause) = schedule.step(at: time.now()) { try await time.sleep(seconds: pause) }
        throw trouble ?? .user(.deviceCodeExpired)
    }

    private indirect enum Reply {
        case signedIn(TokenOutcome)
        case pending, slowDown, expired
    }

    private struct FailureAfterWait: Error { var cause: any Error }

    /// Polls once, and saves the tokens when the user has finished. The returned authority may have a new endpoint.
    private func pollOnce(
        with deviceCode: Secret, _ authority: ResolvedAuthority
    ) async throws -> (reply: Reply, authority: ResolvedAuthority) {
        var authority = authority
        // Each poll can spend the code.
        let room = try context.roomForTokens()
        switch try await question(deviceCode, &authority) {
        case .pending: return (.pending, authority)
        case .slowDown: return (.slowDown, authority)
        case .expired: return (.expired, authority)
        case .tokens(let response):
            context.reporter.succeeded(.waitForCode, "The authority issued tokens")
            do { return (.signedIn(try await saved(response, from: authority, in: room)), authority) } catch {
                throw FailureAfterWait(cause: error)
            }
        }
    }

    private func remark(_ text: String) { context.reporter.noted(.waitForCode, text) }

    private func question(
        _ deviceCode: Secret, _ authority: inout ResolvedAuthority
    ) async throws -> DeviceTokenResponse {
        let sent = try await context.send(to: &authority, .devicePolling, by: polling) { authority in
            try context.tokenRequest(.deviceCode(deviceCode), at: authority, for: request)
        }
        let reply = try context.translating(sent, from: .devicePolling, DeviceTokenResponse.init(parsing:))
        guard case .tokens(let response) = reply else { return reply }
        return .tokens(response.knowingSecrets(of: sent))
    }
}

extension MSALDeviceCode {
    init(_ reply: DeviceAuthorizationResponse, receivedAt now: Date) {
        self.init(
            userCode: reply.userCode, verificationURL: reply.verificationURI,
            verificationURLComplete: reply.verificationURIComplete,
            expiresOn: now.addingTimeInterval(Double(reply.expiresIn)), interval: reply.interval,
            message: reply.message
                ?? "Open \(reply.verificationURI.absoluteString) on any device and enter the code \(reply.userCode).")
    }
}

extension AuthenticationFailure {
    fileprivate var outcomeOfWait: String {
        if [.user(.canceled), .user(.canceledWithoutResponse)].contains(self) { return "Cancelled" }
        if self == .user(.deviceCodeExpired) { return "The code expired" }
        return kind == .canceled ? "The sign-in was declined" : "The authority issued no tokens"
    }
}

/// When to poll next, and when to stop (RFC 8628 §3.5). Never polls sooner than the authority allows. After an error the pause
/// doubles until the next response.
package struct DeviceCodePolling: Sendable, Equatable {
    package enum Reply: Sendable, Equatable {
        case pending, slowDown
        /// A failed or unusable response. `retryAfter`: seconds to wait before the next request.
        case trouble(retryAfter: Double?)
    }

    package enum Step: Sendable, Equatable {
        /// Poll after this number of seconds.
        case poll(after: Double)
        /// The code expires in this number of seconds, before the next poll is due.
        case expire(after: Double)
    }

    /// Seconds to add to the interval after each `slow_down` (RFC 8628 §3.5).
    package static let slowDownSeconds = 5.0
    /// The longest pause after errors in seconds, unless the authority's interval is longer.
    package static let longestPause = 60.0

    package private(set) var interval: Double
    private let expiresOn: Date
    private var pause: Double

    package init(interval: Int, expiresOn: Date) {
        (self.interval, pause, self.expiresOn) = (Double(interval), Double(interval), expiresOn)
    }

    package mutating func note(_ reply: Reply) {
        switch reply {
        case .pending: pause = interval
        case .slowDown:
            interval += Self.slowDownSeconds
            pause = interval
        case .trouble(let retryAfter): pause = max(min(pause * 2, max(Self.longestPause, interval)), retryAfter ?? 0)
        }
    }

    package func step(at now: Date) -> Step {
        let left = expiresOn.timeIntervalSince(now)
        return pause < left ? .poll(after: pause) : .expire(after: max(0, left))
    }
}
