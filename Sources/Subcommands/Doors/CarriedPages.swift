import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// The pages of sign-ins on a server that this computer's browser opens, one at a time.
///
/// The server gets the response, and with it a refresh token. So each page needs a yes, of the user or in the configuration.
struct CarriedPages: Sendable {
    private struct State {
        var isOpen = false
        var isDeclined = false
        var limits = RejectionLimits()
    }

    let host: String
    var profiles: [Profile] = []
    /// The names of the profiles whose pages open without a question.
    var unasked: Set<String> = []
    var question: GateQuestion?
    /// Opens a page, and returns the response.
    var open: @Sendable (CarriedPage) async throws -> URL = { _ in throw CancellationError() }
    private let state = Locked(State())

    init(host: String) { self.host = host }

    /// Returns the response to a page. Throws ``DoorProblem`` if it doesn't open.
    func response(to page: CarriedPage, at now: Date) async throws -> URL {
        guard !state.withLock({ replace(&$0.isOpen, with: true) }) else {
            throw DoorProblem(
                409, "Another page is open.", "Another sign-in on \(host) is waiting here. Finish or cancel it first.")
        }
        defer { state.withLock { $0.isOpen = false } }
        switch page.decision(profiles, unasked: unasked) {
        case .rejected:
            throw DoorProblem(
                403, "The page isn't opened.", "A page with http opens only for an authority of a profile here.")
        case .opens where state.withLock { (try? $0.limits.openWindow(for: host, at: now)) != nil }: break
        case .opens, .questions: try await allow(page)
        }
        return try await open(page)
    }

    private func allow(_ page: CarriedPage) async throws {
        guard let question else {
            throw DoorProblem(
                403, "The page isn't opened.",
                "There is no terminal to ask on, and 'signIn' in 'carry' of the configuration doesn't allow it for "
                    + "\(host). Connect with 'keyturn ssh' in a terminal.")
        }
        let kind = GateKind(
            method: "a sign-in at \(page.url.hostAndPort) for the client", places: [page.clientID, host],
            extent: "this time", isForOnce: true)
        let isAllowed =
            state.withLock(\.isDeclined)
            ? false : await question.allows(kind, "A sign-in that leaves a refresh token on \(host)")
        // Other questions would tire the user.
        if isAllowed == false { state.withLock { $0.isDeclined = true } }
        guard isAllowed == true else { throw await question.problem(isAllowed, "sign-in") }
    }
}
