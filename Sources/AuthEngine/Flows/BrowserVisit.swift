import Foundation
import OAuthCore

/// One visit of the person's browser to the authority, from the listener to the answer.
///
/// 1. Listen where the browser will land, before it opens.
/// 2. Open the browser. If that fails the user can still open the address by hand, so the wait goes on; not where there is no
///    browser and the program does not follow the flow, because then the address is shown nowhere.
/// 3. Wait for the one answer with our `state`; strays do not end the wait.
struct BrowserVisit {
    let context: FlowContext
    /// Where the browser comes back to, as configured.
    let redirect: RedirectURI
    let state: Secret
    /// What the page is for, as in "sign-in".
    let purpose: String
    let correlationID: UUID
    /// Opens the page instead of the system's browser.
    let openURL: (@Sendable (URL) async throws -> Void)?
    /// Makes this terminal free for a browser that draws in one.
    var lendTerminal: TerminalLender?
    /// Whether the page shall share no session with the browser's other windows.
    var isPrivate = false
    /// How long to wait for the answer, and what it is when none has come by then; `nil`: for as long as it takes.
    var limit: Limit?

    struct Limit: Sendable {
        /// More than ``BrowserVisit/patience``.
        var seconds: Double
        var failure: AuthenticationFailure
    }

    /// Whether the program follows the flow's events, which have the address.
    var isFollowed = false

    /// Seconds without an answer after which the person is told what else can be done.
    static let patience = 15.0

    /// Where the browser landed, the redirect URI it was sent to, and who listens there until closed.
    struct Landing {
        var url: URL
        var redirectURI: URL
        var receiver: (any OpenRedirectReceiver)?
        /// The person pasted a code alone: nothing beside it could be checked.
        var isBareCode: Bool
    }

    /// `page` makes the address to open from the redirect URI, which holds the bound port by then. On failure the listener
    /// is closed here.
    func run(_ page: (URL) -> URL) async throws -> Landing {
        let receiver = try await openReceiver()
        let redirect = redirect.at(receiver?.redirectURI)
        let session = WaitingSession(
            state: state, redirect: redirect, world: context.dependencies.world
        ) { [reporter = context.reporter] response in
            reporter.noted(.waitForResponse, response.explanation)
        }
        guard InteractiveSessions.begin(session) else {
            await receiver?.close()
            throw AuthenticationFailure.caller(.sessionAlreadyRunning)
        }
        do {
            let page = page(redirect.url)
            try checkLength(page)
            try await openBrowser(page, for: session)
            let url = try await wait(in: session)
            InteractiveSessions.end(session)
            return Landing(
                url: url, redirectURI: redirect.url, receiver: receiver, isBareCode: session.isMadeOfBareCode(url))
        } catch {
            InteractiveSessions.end(session)
            await receiver?.close()
            throw error
        }
    }

    /// No browser could be started with a longer address, and then the wait would have no end.
    private func checkLength(_ page: URL) throws {
        let length = page.absoluteString.utf8.count
        guard length <= AuthorizationRequest.maximumLength else {
            throw AuthenticationFailure.caller(
                .invalidParameter(
                    "With these parameters the address of the \(purpose) page is \(length / 1024) KiB long, too long to open."
                ))
        }
    }

    /// An address that the desktop opens may also reach `handleMSALResponse` another way, as when the application is its
    /// own handler; so only a loopback one that nobody listens on ends the visit.
    private func openReceiver() async throws -> (any OpenRedirectReceiver)? {
        let isLoopback = redirect.way == .loopback
        context.reporter.started(.listen, "Listening for the browser's answer")
        do throws(RedirectReceiverFailure) {
            let receiver = try await context.dependencies.receiver.open(redirect) {
                [world = context.dependencies.world] url in
                InteractiveSessions.deliver(url, in: world)
            }
            let address = receiver.redirectURI.absoluteString
            context.reporter.succeeded(
                .listen,
                receiver.forwarding
                    ?? (isLoopback ? "Listening on \(address)" : "Whoever opens \(address) hands the answer over"))
            return receiver
        } catch {
            context.reporter.failed(.listen, error.reason)
            guard !isLoopback else { throw AuthenticationFailure.machine(.receiver(error)) }
            return nil
        }
    }

    private func openBrowser(_ url: URL, for session: WaitingSession) async throws {
        context.reporter.started(.openBrowser, "Opening the \(purpose) page", authorizationURL: url.withoutIDToken)
        context.dependencies.notices.post(.didStartLoad(url.withoutIDToken))
        context.recorder?.opened(url)
        do {
            if let openURL {
                try await openURL(url)
            } else {
                try await browse(BrowserPage(url: url, isPrivate: isPrivate, lendTerminal: lendTerminal), session)
            }
            context.dependencies.notices.post(.didFinishLoad(url.withoutIDToken))
            context.reporter.succeeded(
                .openBrowser, openURL == nil ? "The browser was started" : "The page was handed over")
        } catch {
            let failure = error as? BrowserLaunchFailure
            let reason = failure?.reason ?? error.localizedDescription
            context.reporter.failed(.openBrowser, "\(reason) Open the address by hand.")
            // A handler of the program that failed has shown the address to nobody either.
            guard failure?.kind ?? .noBrowser == .noBrowser, !isFollowed, !Task.isCancelled else { return }
            let end = AuthenticationFailure.machine(.noBrowser(reason))
            context.dependencies.notices.post(.didFail(MSALAuthenticationError(end, correlationID: correlationID)))
            throw end
        }
    }

    /// A browser that has the terminal has nothing more to show once the answer is there.
    private func browse(_ page: BrowserPage, _ session: WaitingSession) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await context.dependencies.browser.open(page) }
            group.addTask { for await _ in session.end {} }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Says once, when nothing has come for a while, what else can be done; the wait goes on.
    private func answer(in session: WaitingSession) async throws -> URL {
        guard !session.hasEnded else { return try await session.response() }
        return try await withThrowingTaskGroup(of: URL?.self) { group in
            group.addTask { try await session.response() }
            group.addTask {
                try? await context.dependencies.time.sleep(seconds: Self.patience)
                guard !Task.isCancelled, !session.hasEnded else { return nil }
                context.reporter.noted(.waitForResponse, Self.advice(limit))
                guard let limit else { return nil }
                try? await context.dependencies.time.sleep(seconds: limit.seconds - Self.patience)
                guard !Task.isCancelled, !session.hasEnded else { return nil }
                throw limit.failure
            }
            defer { group.cancelAll() }
            while let url = try await group.next() {
                if let url { return url }
            }
            throw WaitingSession.Canceled()
        }
    }

    private static func advice(_ limit: Limit?) -> String {
        let rest = limit.map { " The wait ends after \(Int($0.seconds / 60)) minutes." } ?? ""
        return "Nothing has come back yet. Open the address by hand, on any device.\(rest)"
    }

    private func wait(in session: WaitingSession) async throws -> URL {
        context.reporter.started(.waitForResponse, "Waiting for the browser to come back")
        do {
            let url = try await answer(in: session)
            context.dependencies.notices.post(.didComplete(url.withoutAnswer))
            context.recorder?.received(url)
            context.reporter.succeeded(
                .waitForResponse,
                session.isMadeOfBareCode(url)
                    ? "A code was pasted without its address, so its state could not be checked"
                    : "The browser came back")
            return url
        } catch {
            let overdue = error as? AuthenticationFailure
            context.dependencies.notices.post(
                .didFail(MSALAuthenticationError(overdue ?? .user(.canceled), correlationID: correlationID)))
            context.reporter.failed(.waitForResponse, overdue == nil ? "Cancelled" : "The browser did not come back")
            throw overdue ?? .user(.canceled)
        }
    }
}

extension URL {
    /// The address to show. Opened by hand it works without the ID token as well: the authority asks which session to end.
    fileprivate var withoutIDToken: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false),
            let query = parts.percentEncodedQueryItems,
            query.contains(where: { $0.name == "id_token_hint" })
        else { return self }
        parts.percentEncodedQueryItems = query.filter { $0.name != "id_token_hint" }
        return parts.url ?? self
    }

    /// The address alone: its query and fragment may hold a code.
    fileprivate var withoutAnswer: URL {
        URL(string: String(absoluteString.prefix { $0 != "?" && $0 != "#" })) ?? self
    }
}

extension RedirectURI {
    /// The same redirect URI where somebody really listens.
    fileprivate func at(_ url: URL?) -> RedirectURI {
        url.map { RedirectURI(url: $0, way: way, isBrokerCapable: isBrokerCapable) } ?? self
    }
}
