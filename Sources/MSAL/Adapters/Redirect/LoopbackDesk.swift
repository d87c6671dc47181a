import Foundation
import KeyturnSystem
import OAuthCore

final class LoopbackDesk: Sendable {
    private struct State {
        var listening: (redirectURI: URL, port: UInt16)?
        var outcome: LoopbackPage.Outcome?
        var underway: Set<URL> = []
        var visits: Set<RedirectVisit> = []
    }

    private let application: String?
    private let deliver: @Sendable (URL) -> Bool
    private let state = Locked(State())
    private let pageShown = AsyncStream.makeStream(of: Never.self)
    private let told = AsyncStream.makeStream(of: RedirectVisit.self)

    init(application: String? = nil, deliver: @escaping @Sendable (URL) -> Bool) {
        self.application = application
        self.deliver = deliver
    }

    var visits: AsyncStream<RedirectVisit> { told.stream }

    func note(_ visit: RedirectVisit) {
        let isFirst = state.withLock { $0.visits.insert(visit).inserted }
        if isFirst { told.continuation.yield(visit) }
    }

    /// Also while the response is being delivered: the sign-in can end before `deliver` returns.
    var hasOutcome: Bool { state.withLock { $0.outcome != nil || !$0.underway.isEmpty } }

    func open(redirectURI: URL, port: UInt16) { state.withLock { $0.listening = (redirectURI, port) } }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        guard let listening = state.withLock({ $0.listening }) else { return LoopbackPage.error(status: 503) }
        switch LoopbackReception(request, redirectURI: listening.redirectURI, port: listening.port) {
        case .reject(let status): return LoopbackPage.error(status: status)
        case .elsewhere:
            note(.elsewhere)
            return LoopbackPage.error(status: 404)
        case .oversized:
            note(.oversized)
            return page(.oversized).response(status: 431)
        case .response(let url):
            note(.request)
            return isDelivered(url)
                ? LoopbackPage.redirect(to: LoopbackReception.resultPath)
                : page(.notTheResponse).response(status: 400)
        case .resultPage:
            guard let outcome = state.withLock({ $0.outcome }) else { return LoopbackPage.error(status: 404) }
            if request.method == .get { pageShown.continuation.finish() }
            return page(outcome).response(status: 200)
        }
    }

    private func page(_ outcome: LoopbackPage.Outcome) -> LoopbackPage {
        LoopbackPage(outcome: outcome, application: application)
    }

    func waitForPage(atMost seconds: Double) async {
        guard hasOutcome else { return }
        _ = await within(.seconds(seconds)) { [stream = pageShown.stream] in for await _ in stream {} }
    }

    /// Delivers a URL once. A reload only shows the page again.
    private func isDelivered(_ url: URL) -> Bool {
        let isTaken = state.withLock { $0.outcome != nil || !$0.underway.insert(url).inserted }
        if isTaken { return true }
        // Not under the lock, because the receiver may call back. It takes only the first of two responses.
        let isResponse = deliver(url)
        let parameters = Parameters(formEncoded: url.query(percentEncoded: true) ?? "")
        return state.withLock { state in
            state.underway.remove(url)
            guard state.outcome == nil else { return true }
            guard isResponse else { return false }
            state.outcome =
                switch parameters["error"] {
                case nil: .received
                case "access_denied": .cancelled
                default: .rejected
                }
            return true
        }
    }
}
