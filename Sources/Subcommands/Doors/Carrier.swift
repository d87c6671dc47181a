import Foundation
import JSON
import KeyturnSystem
import LoopbackHTTP
import MSAL
import OAuthCore
import TerminalUI

enum CarryDecision: Sendable, Equatable {
    case allowed(CarryRule)
    /// The reason, as the end of a sentence about the host.
    case rejected(String)

    /// The first rule that covers the request decides.
    static func decide(_ request: CarriedRequest, by rules: [CarryRule]) -> CarryDecision {
        // Of the rules that don't, the nearest says why.
        var nearest = (step: -1, subject: "any token")
        for rule in rules {
            guard let obstacle = rule.obstacle(to: request) else { return .allowed(rule) }
            if obstacle.step > nearest.step { nearest = obstacle }
        }
        return .rejected(nearest.subject)
    }
}

extension CarryRule {
    /// The limits of a session: of its options for the host, if they name scopes or resources, or those of the configuration. A
    /// named profile narrows them.
    static func rules(_ configured: [CarryRule], _ named: CarryRule, usual: String?) -> [CarryRule] {
        let own = configured.filter { named.host == $0.host || named.host.hasSuffix("@\($0.host)") }
        let rules = own.map { rule in
            var rule = rule
            (rule.profile, rule.question) = (rule.profile ?? usual, named.question ?? rule.question)
            return rule
        }.filter { named.profile == nil || named.profile == $0.profile }
        guard !named.scopes.isEmpty || !named.resources.isEmpty else { return rules }
        var first = named
        first.profile = named.profile ?? usual
        first.question = named.question ?? Question.allCases.first { own.map(\.question).contains($0) }
        return [first]
            + rules.filter(\.opensSignIns).map { CarryRule(host: named.host, profile: $0.profile, opensSignIns: true) }
    }

    /// The rule for an account with these names, in lower case, of which the first is the user's. `nil` if it is for another.
    func narrowed(to names: [String]) -> CarryRule? {
        guard let name = names.first else { return self }
        guard account.map({ names.contains($0.lowercased()) }) ?? true else { return nil }
        var rule = self
        rule.account = account ?? name
        return rule
    }

    fileprivate func obstacle(to request: CarriedRequest) -> (step: Int, subject: String)? {
        if let profile = request.profile, profile != self.profile { return (0, "the profile \(profile)") }
        if let account = request.account, account.lowercased() != self.account?.lowercased() {
            return (1, "the account \(account)")
        }
        let beyond = beyond(request.scopes)
        if !beyond.isEmpty { return (2, "the scope \(beyond.joined(separator: ", "))") }
        guard let resource = request.resource else { return scopes.isEmpty ? (1, "a token of no resource") : nil }
        return resources.contains { Self.covers($0, resource) } ? nil : (3, "the resource \(resource.absoluteString)")
    }

    func scopes(of request: CarriedRequest) -> [String] {
        let wanted = request.scopes.withoutAlwaysRequested
        return wanted.isEmpty && request.resource == nil ? scopes : wanted
    }

    /// The scopes that the rule doesn't have. Without scopes, it allows those of its resources.
    func beyond(_ names: [String]) -> [String] {
        guard !scopes.isEmpty else { return [] }
        return names.withoutAlwaysRequested.filter { name in !scopes.contains { Self.covers($0, name) } }
    }

    private static func covers(_ own: String, _ name: String) -> Bool {
        if own.lowercased() == name.lowercased() { return true }
        let (ownName, otherName) = (own.split(separator: "/").last, name.split(separator: "/").last)
        return ManagedIdentity.resource(of: own) == ManagedIdentity.resource(of: name)
            && (ownName == ".default" || ownName?.lowercased() == otherName?.lowercased())
    }

    private static func covers(_ own: URL, _ other: URL) -> Bool {
        let path = own.path(percentEncoded: true)
        let other = (origin: other.origin, path: other.path(percentEncoded: true))
        let folder = path.hasSuffix("/") ? path : path + "/"
        return own.origin == other.origin && (other.path == path || other.path.hasPrefix(folder) || path.isEmpty)
            && !["..", "%2e", "%2f", "%5c", "\\"].contains { other.path.lowercased().contains($0) }
    }
}

extension DoorProblem {
    static let unasked = DoorProblem(
        403, "The user wasn't asked.", "The question can't be shown there. carry.log says why.")

    /// A failure without the names of the accounts here.
    fileprivate init(carrying failure: Failure) {
        self.init(failure)
        ownDetail = detail
        switch failure.name {
        case "ambiguousAccount":
            (status, title) = (409, "Several accounts fit.")
            detail = "Several accounts fit. Connect again with --account."
        case "noAccount", "otherAuthority":
            title = "No account for this token is signed in there."
            detail = "\(title) Run 'keyturn sign-in' there, or connect with --account."
        default: ownDetail = nil
        }
    }
}

extension GateQuestion {
    /// Throws what the server gets without a yes.
    func require(_ answer: Bool?, _ subject: String) throws(DoorProblem) {
        if answer == true { return }
        guard answer == nil else {
            throw DoorProblem(
                403, "The user doesn't allow this \(subject).",
                "The user was asked, and said no or nothing. Connect again to be asked again.")
        }
        var problem = DoorProblem.unasked
        problem.ownDetail = failure?.sentences ?? "The question was withdrawn, because the program there has ended."
        throw problem
    }
}

/// A door for one server: access tokens within the limits, each after a yes if the rule wants one.
struct Carrier: Sendable {
    let host: String
    let rules: [CarryRule]
    let token: @Sendable (CarriedRequest, CarryRule) async throws -> MSALResult
    let question: GateQuestion?
    let pages: CarriedPages
    /// Receives a line about each request.
    let log: @Sendable (String, _ isRejected: Bool) -> Void
    let now: @Sendable () -> Date
    private let flood = Locked(RejectionFlood())

    static let limits = LoopbackServer.Limits(
        connections: 16, idleSeconds: 120, requestSeconds: 10, memoryBytes: 64 << 10)

    func response(to url: URL) async -> HTTPResponse {
        let request: CarriedRequest
        do { request = try CarriedRequest(url) } catch {
            return rejected(CarriedRequest(), DoorProblem(unreadable: error.isOfOtherVersion ? 404 : 400, error.reason))
        }
        do {
            guard let page = request.page else { return try await tokenResponse(to: request) }
            let url = try await pages.response(to: page, at: now())
            note(request, "-", "signed in", isRejected: false)
            return HTTPResponse(["response": .string(url.absoluteString)])
        } catch let problem as DoorProblem {
            return rejected(request, problem)
        } catch {
            let failure = Failure(reporting: error)
            guard let page = request.page else { return rejected(request, DoorProblem(carrying: failure)) }
            // The reason can name programs of this computer.
            note(request, "-", "failed: \(failure.sentences)", isRejected: true)
            return DoorProblem(
                502, "No response came.",
                "The page didn't open, or no response came to \(page.redirectURI.absoluteString) there. carry.log says why."
            ).response
        }
    }

    private func tokenResponse(to request: CarriedRequest) async throws -> HTTPResponse {
        let rule = try await allowed(request)
        let result = try await token(request, rule)
        // At Microsoft Entra ID, email concerns the ID token only.
        let beyond = rule.beyond(result.scopes.filter { $0 != "email" })
        guard beyond.isEmpty else {
            throw DoorProblem(
                403, "The token can do more.",
                "The authority's token for \(host) has more scopes than 'carry' allows: "
                    + "\(beyond.joined(separator: ", ")). Allow them too, or use a client with fewer permissions.")
        }
        note(request, result.account.username ?? "-", "sent", isRejected: false)
        let members: KeyValuePairs<String, JSONValue?> = [
            "accessToken": .string(result.accessToken), "tokenType": .string(result.authenticationScheme),
            "expiresOn": result.expiresOn.map { .integer(Int64($0.timeIntervalSince1970)) },
            "scopes": JSONValue(result.scopes), "account": result.account.username.map(JSONValue.string),
        ]
        return HTTPResponse(JSONValue(members: members))
    }

    /// The rule that allows the request, after the user's yes.
    private func allowed(_ request: CarriedRequest) async throws -> CarryRule {
        switch CarryDecision.decide(request, by: rules) {
        case .rejected(let reason):
            throw DoorProblem(
                403, "The limits don't allow this token.",
                "The limits for \(host) don't include \(reason). Add it to 'carry' in the configuration, and connect again."
            )
        case .allowed(let rule):
            guard let when = rule.question else { return rule }
            guard let question else { throw DoorProblem.unasked }
            let subject = request.resource?.absoluteString ?? rule.scopes(of: request).joined(separator: " ")
            let kind =
                when == .use
                ? GateKind(method: "a token for", places: [subject, host], extent: "this time", isForOnce: true)
                : GateKind(method: "tokens to", places: [host], extent: "until the connection ends")
            try await question.require(await question.allows(kind, kind.text), "token")
            return rule
        }
    }

    private func rejected(_ request: CarriedRequest, _ problem: DoorProblem) -> HTTPResponse {
        note(request, "-", "\(problem.status): \(problem.ownDetail ?? problem.detail)", isRejected: true)
        return problem.response
    }

    /// The server's words are marked as such, and stand last: it can send any.
    private func note(_ request: CarriedRequest, _ account: String, _ outcome: String, isRejected: Bool) {
        let page = request.page.map { "a sign-in at \($0.url.hostAndPort) for the client \($0.clientID)" }
        let parts = [page, request.profile, request.resource?.absoluteString].compactMap(\.self) + request.scopes
        let wanted = parts.joined(separator: " ").prefix(300)
        let own = "\(host) \(account) \(outcome.prefix(300))"
        let demanded = "asks for \(wanted.isEmpty ? "the usual token" : wanted), as \(request.program)"
            .filter { !"()".contains($0) }
        let time = now()
        let (isLogged, unlogged) = flood.withLock { $0.note(isRejected: isRejected, at: time) }
        let others = unlogged > 0 ? "\(time.ISO8601Format()) \(host) - \(unlogged) more rejected\n" : ""
        let line = "\(time.ISO8601Format()) \(Printable.sanitize("\(own) (\(host) \(demanded))"))\n"
        log(isLogged ? others + line : "", isRejected)
    }
}

extension Carrier: StreamHandler {
    func admit(_ request: HTTPRequest) -> HTTPResponse? {
        request.method == .get ? nil : reject(405, "Only GET is served here.")
    }

    func respond(to request: HTTPRequest, on stream: StreamedExchange) async -> Bool {
        stream.begin(await response(to: request.url))
    }
}

/// Which rejected requests are lines in the log: a flood of them would push the others out of it.
struct RejectionFlood: Sendable {
    static let mostInMinute = 60
    private var start = Date.distantPast
    private var count = 0

    /// Whether a request gets a line, and how many before it got none.
    mutating func note(isRejected: Bool, at now: Date) -> (isLogged: Bool, unlogged: Int) {
        let unlogged = max(0, count - Self.mostInMinute)
        let isNew = now.timeIntervalSince(start) >= 60
        if isNew || !isRejected { (start, count) = (isNew ? now : start, min(count, isNew ? 0 : Self.mostInMinute)) }
        if isRejected { count += 1 }
        let isLogged = count <= Self.mostInMinute || !isRejected
        return (isLogged, isLogged ? unlogged : 0)
    }
}

/// The pages of sign-ins on a server that this computer's browser opens, one at a time. The server gets the response, and with it
/// a refresh token. So each page needs a yes, of the user or in the configuration.
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
    var open: @Sendable (CarriedPage) async throws -> URL = { _ in throw CancellationError() }
    private let state = Locked(State())

    init(host: String) { self.host = host }

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
        try await question.require(isAllowed, "sign-in")
    }
}
