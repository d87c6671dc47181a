import Foundation
import KeyturnSystem
import OAuthCore

/// A visit of the user's browser to the authority, from opening the listener to the response.
///
/// 1. Listen at the redirect URI.
/// 2. Open the browser. If that fails, keep waiting, because the user can open the URL by hand. Stop if there is no
///   browser and the program doesn't show the URL.
/// 3. Wait for the response with this visit's `state`; ignore others.
struct BrowserVisit {
    let context: FlowContext
    let host: String
    let redirect: RedirectURI
    let state: Secret
    /// The purpose of the page, such as "sign-in".
    let purpose: String
    let correlationID: UUID
    let access: Access
    let overdue: AuthenticationFailure
    /// Called if no response came, or none could be received.
    var unanswered: @Sendable () -> Void = {}

    /// Pauses between attempts to listen on a port that another sign-in uses, in seconds, and their number.
    static let pause = 0.25
    static let pauses = 720

    /// Seconds without a response after which the user is advised what else to try.
    static let patience = 15.0

    struct Access: Sendable {
        var openURL: (@Sendable (URL) async throws -> Void)?
        var lendTerminal: TerminalLender?
        /// Whether to use and keep no browser session.
        var isPrivate = false
        /// Whether the user pastes the final URL, so that the port of the redirect URI can be taken.
        var expectsPaste = false
        /// Whether the program receives the flow's events, which contain the URL.
        var isFollowed = false
        /// The longest time to wait for the response, in seconds. `nil` waits without limit.
        var limit: Double?
    }

    struct Page {
        var url: URL
        /// Seconds for which the authority accepts the URL. `nil` without a limit.
        var lifetime: Int?
        var changes: [String] = []

        var request: HTTPRequest {
            var request = HTTPRequest(.get, url)
            (request.isPage, request.changes) = (true, changes)
            return request
        }
    }

    struct Landing {
        var url: URL
        var redirectURI: URL
        var receiver: (any OpenRedirectReceiver)?
        /// Whether the user pasted an authorization code alone, so that `state` couldn't be checked.
        var isBareCode: Bool
    }

    /// `page` returns the page to open for a redirect URI with the bound port. Closes the receiver on failure.
    func run(_ page: (URL) async throws -> Page) async throws -> Landing {
        // First, because the receiver would wait for a port that the other session uses.
        try InteractiveSessions.requireNone(in: context.dependencies.world, at: context.dependencies.time.now())
        let (receiver, address) = try await openReceiver()
        let redirect = RedirectURI(
            url: address ?? redirect.url, kind: redirect.kind, isBrokerCapable: redirect.isBrokerCapable)
        let session = WaitingSession(
            details, state: state, redirect: redirect, world: context.dependencies.world
        ) { [reporter = context.reporter] in reporter.ignoredResponse($0.explanation) }
        do {
            try InteractiveSessions.begin(session)
            let page = try await held(try await page(redirect.url))
            try checkLength(page.url)
            try context.dependencies.checkServer(of: page.url)
            let url = try await session.limited(by: context.dependencies.time) {
                try await openBrowser(page, for: session)
                return try await wait(in: session, receiver, for: page)
            }
            InteractiveSessions.finish(session)
            return Landing(
                url: url, redirectURI: redirect.url, receiver: receiver, isBareCode: session.isMadeOfBareCode(url))
        } catch {
            InteractiveSessions.finish(session)
            await receiver?.close()
            throw error
        }
    }

    private func held(_ page: Page) async throws -> Page {
        guard let hold = context.hold else { return page }
        let limit = page.lifetime.map { context.dependencies.time.now().addingTimeInterval(Double($0)) }
        let released: HTTPRequest?
        do {
            released = try await hold.release(page.request, as: .frontChannelRequest, until: limit).last
        } catch {
            throw AuthenticationFailure.user(.canceled)
        }
        return Page(url: released?.url ?? page.url, lifetime: page.lifetime, changes: released?.changes ?? [])
    }

    private var details: RunningSession {
        RunningSession(
            purpose: purpose, place: access.expectsPaste ? .paste : .browser, clientID: context.settings.clientID,
            host: host, start: context.dependencies.time.now(), limit: access.limit)
    }

    /// Throws for a URL that is too long for a browser command, because the wait would end only with its limit.
    private func checkLength(_ page: URL) throws {
        let length = page.absoluteString.utf8.count
        guard length <= AuthorizationRequest.maximumLength else {
            throw AuthenticationFailure.invalid(
                "The URL of the \(purpose) page is too long to open (\(length / 1024) KiB). Use fewer parameters.")
        }
    }

    /// Opens a receiver. Failure is fatal only for a loopback redirect URI. Other URLs can also arrive through
    /// `handleMSALResponse`, for example when the application is its own URL handler.
    private func openReceiver() async throws -> (receiver: (any OpenRedirectReceiver)?, address: URL?) {
        let isLoopback = redirect.kind == .loopback
        context.reporter.started(.listen, "Listening for the authorization response")
        do {
            let receiver = try await listen()
            let address = receiver.redirectURI.absoluteString
            context.reporter.succeeded(
                .listen,
                receiver.forwarding
                    ?? (isLoopback ? "Listening on \(address)" : "Waiting for the desktop to open \(address)"))
            return (receiver, receiver.redirectURI)
        } catch let error as RedirectReceiverFailure {
            if access.expectsPaste, let address = error.takenURI {
                context.reporter.succeeded(.listen, "Not listening: \(error.reason)")
                return (nil, address)
            }
            context.reporter.failed(.listen, error.reason)
            guard !isLoopback else {
                // Another redirect URI may be needed.
                if error.sibling == nil { unanswered() }
                throw AuthenticationFailure.machine(.receiver(error))
            }
            return (nil, nil)
        }
    }

    /// Opens the receiver. Waits for a port that another process of this program uses for its own sign-in.
    private func listen() async throws -> any OpenRedirectReceiver {
        var attempts = 0
        var sibling: String?
        while true {
            do throws(RedirectReceiverFailure) {
                return try await context.dependencies.receiver.open(redirect) {
                    [world = context.dependencies.world] url in
                    InteractiveSessions.deliver(url, in: world)
                }
            } catch {
                var error = error
                // The process can end between the attempt and the search for it.
                if error.takenURI != nil { error.sibling = error.sibling ?? sibling }
                sibling = error.sibling
                guard !access.expectsPaste, let sibling, attempts < Self.pauses else { throw error }
                if attempts == 0 {
                    let minutes = Int(Self.pause * Double(Self.pauses)) / 60
                    context.reporter.noted(
                        .listen, "Waiting up to \(minutes) min for the port, which \(sibling) uses for its sign-in")
                }
                attempts += 1
                do { try await context.dependencies.time.sleep(seconds: Self.pause) } catch {
                    context.reporter.failed(.listen, "Cancelled")
                    throw AuthenticationFailure.user(.canceled)
                }
            }
        }
    }

    private func openBrowser(_ page: Page, for session: WaitingSession) async throws {
        let url = page.url
        // First, because a listener to the event may open the page at once.
        context.recorder?.opened(page.request)
        context.reporter.started(
            .openBrowser, "Opening the \(purpose) page", authorizationURL: url.withoutIDToken,
            redirectPort: session.redirect?.url.port)
        context.dependencies.notices.post(.didStartLoad(url.withoutIDToken))
        do {
            if let openURL = access.openURL {
                try await openURL(url)
            } else {
                try await browse(
                    BrowserPage(url: url, isPrivate: access.isPrivate, lendTerminal: access.lendTerminal), session)
            }
            context.dependencies.notices.post(.didFinishLoad(url.withoutIDToken))
            context.reporter.succeeded(
                .openBrowser,
                access.expectsPaste
                    ? "URL shown" : access.openURL == nil ? "Browser started" : "The program opened the page")
        } catch {
            let failure = error as? BrowserLaunchFailure
            let reason = failure?.reason ?? Failure(error).reason
            context.reporter.failed(.openBrowser, "\(reason) Open the URL by hand.")
            // A failed handler of the program hasn't shown the URL either.
            guard failure?.kind ?? .noBrowser == .noBrowser, !access.isFollowed, !Task.isCancelled else { return }
            // Its query is worthless after the sign-in.
            let page = "The \(purpose) page, \(url.withoutResponse.absoluteString), was not opened."
            let thrown = AuthenticationFailure.machine(.noBrowser("\(reason) \(page)"))
            context.dependencies.notices.post(.didFail(MSALAuthenticationError(thrown, correlationID: correlationID)))
            throw thrown
        }
    }

    /// Closes a terminal browser when the response arrives. Throws if it failed to start, also when the wait has ended by then.
    private func browse(_ page: BrowserPage, _ session: WaitingSession) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await context.dependencies.browser.open(page) }
            group.addTask { for await _ in session.completion {} }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func response(
        in session: WaitingSession, _ receiver: (any OpenRedirectReceiver)?, for page: Page
    ) async throws -> URL {
        guard !session.hasEnded else { return try await session.response() }
        let report = VisitReport(receiver: access.expectsPaste ? nil : receiver)
        return try await withThrowingTaskGroup(of: URL?.self) { group in
            group.addTask { try await session.response() }
            group.addTask {
                for await visit in report.visits {
                    guard let text = report.text(on: visit), !session.hasEnded else { continue }
                    if visit == .elsewhere {
                        context.reporter.ignoredResponse(text, hasVisitor: false)
                    } else {
                        context.reporter.noted(.waitForResponse, text, hasVisitor: true)
                    }
                }
                return nil
            }
            group.addTask {
                if access.limit ?? .infinity <= Self.patience { return nil }
                try? await context.dependencies.time.sleep(seconds: Self.patience)
                guard !Task.isCancelled, !session.hasEnded else { return nil }
                context.reporter.noted(.waitForResponse, "\(report.silence) \(advice)", hasVisitor: report.hasVisitor)
                return nil
            }
            if access.expectsPaste, let lifetime = page.lifetime, Double(lifetime) < access.limit ?? .infinity {
                group.addTask {
                    try? await context.dependencies.time.sleep(seconds: Double(lifetime))
                    guard !Task.isCancelled, !session.hasEnded else { return nil }
                    context.reporter.noted(
                        .waitForResponse,
                        "The URL has expired, unless its page is open already. Cancel and sign in again for a new one.")
                    return nil
                }
            }
            defer { group.cancelAll() }
            while let url = try await group.next() {
                if let url { return url }
            }
            throw WaitingSession.Ending.canceled
        }
    }

    /// Only the browser of this computer reaches a listener or a URL handler here.
    private var advice: String {
        let rest = access.limit.map { " Times out after \(WaitText.short($0))." } ?? ""
        let place = access.expectsPaste ? "in any browser, and paste the final URL" : "in a browser on this computer"
        return "Open the URL \(place).\(rest)"
    }

    private func wait(
        in session: WaitingSession, _ receiver: (any OpenRedirectReceiver)?, for page: Page
    ) async throws -> URL {
        context.reporter.started(
            .waitForResponse,
            access.expectsPaste ? "Waiting for the final URL" : "Waiting for \(purpose) in the browser")
        do {
            let url = try await response(in: session, receiver, for: page)
            context.dependencies.notices.post(.didComplete(url.withoutResponse))
            context.recorder?.received(url)
            context.reporter.succeeded(
                .waitForResponse,
                session.isMadeOfBareCode(url)
                    ? "A code was pasted without its URL, so its \(session.hasPastedState ? "issuer" : "state") can't be checked"
                    : "Browser responded")
            return url
        } catch {
            unanswered()
            let (thrown, report): (AuthenticationFailure, String) =
                switch error as? WaitingSession.Ending {
                case .overdue: (overdue, "The browser did not return")
                case .deserted(let failure): (.machine(.noBrowser(failure.reason)), failure.reason)
                case .canceled, nil: (.user(.canceled), "Cancelled")
                }
            context.dependencies.notices.post(.didFail(MSALAuthenticationError(thrown, correlationID: correlationID)))
            context.reporter.failed(.waitForResponse, report)
            throw thrown
        }
    }
}

extension URL {
    /// The URL for display. Without the ID token the page still works: the authority then asks which session to end.
    fileprivate var withoutIDToken: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false),
            let query = parts.percentEncodedQueryItems, query.contains(where: { $0.name == "id_token_hint" })
        else { return self }
        parts.percentEncodedQueryItems = query.filter { $0.name != "id_token_hint" }
        return parts.url ?? self
    }

    /// The URL without query and fragment, which may contain a code.
    fileprivate var withoutResponse: URL {
        URL(string: String(absoluteString.prefix { $0 != "?" && $0 != "#" })) ?? self
    }
}

/// What the receiver knows of the wait: who came, and what to do about a visit that brought no response.
final class VisitReport: Sendable {
    let visits: AsyncStream<RedirectVisit>
    /// The address that the browser has to reach; `nil` without a listener.
    private let address: String?
    private let came = Locked(false)

    init(receiver: (any OpenRedirectReceiver)?) {
        visits = receiver?.visits ?? AsyncStream { $0.finish() }
        address = receiver.flatMap { $0.redirectURI.isLoopback ? $0.redirectURI.hostAndPort : nil }
    }

    /// Then the authority accepts the redirect URI.
    var hasVisitor: Bool { came.withLock(\.self) }

    /// Notes a visit. Returns what to tell of it.
    func text(on visit: RedirectVisit) -> String? {
        if visit != .elsewhere { came.withLock { $0 = true } }
        let host = address ?? "the redirect URI"
        return switch visit {
        case .secure:
            "A browser insists on https at \(host), which speaks http. In its address bar, change https:// to http://, "
                + "or use a browser without HTTPS-only mode."
        case .oversized:
            "The browser sends more than \(RedirectVisit.mostHeaderBytes >> 10) KiB of cookies to \(host). "
                + "Delete its cookies for that host, or open the URL in a private window."
        case .elsewhere:
            "Ignored a response to another path of \(host) than the redirect URI's. The authority uses another redirect URI "
                + "than this one, or the response is another program's. Still waiting."
        case .request: nil
        }
    }

    /// Why the wait goes on.
    var silence: String {
        guard let address else { return "No response yet." }
        return hasVisitor
            ? "No response yet, although a browser came to \(address)."
            : "No response yet: no browser has come to \(address)."
    }
}
