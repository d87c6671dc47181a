import Console
import DemoAuthority
import Diagnosis
import MSAL

/// A diagnosis that the built-in authority can produce: the steps that fail as the customer's did, and those with the fix.
struct Replay: Sendable {
    /// Where the failing steps end, and the fixed ones begin.
    let failing: Int
    let scenario: Scenario

    /// The replay of a cause with the customer's parameters.
    init?(cause: String, _ customer: CustomerRequest) {
        guard let row = Self.row(for: cause) else { return nil }
        var scenario = Scenario(
            name: "replay-\(cause.lowercased())", title: row.title, story: "",
            steps: [], teaches: "The fix: \(row.fix)")
        scenario.client.scopes = Self.scopes(customer)
        row.prepare(&scenario, customer)
        let fixing = row.steps(fixed: &scenario, customer)
        failing = scenario.steps.count - fixing
        scenario.story = Self.story(scenario, customer)
        self.scenario = scenario
    }

    /// The row, also by the number that names the same cause.
    static func row(for cause: String) -> Row? { rows.first { $0.cause == (aliases[cause] ?? cause) } }

    private static let aliases = [
        "AADSTS50011": "redirect-uri-not-registered", "redirect_uri_mismatch": "redirect-uri-not-registered",
        "rejected-registration": "redirect-uri-not-registered", "AADSTS700016": "unknown-client",
        "client-not-in-tenant": "unknown-client", "client-unknown": "unknown-client",
        "client-unknown-at-provider": "unknown-client", "cancelled": "declined", "AADSTS65004": "declined",
        "access_denied": "declined", "clock-differs": "clock", "clock-warned": "clock", "not-json": "captive-portal",
        "state-differs": "state-changed", "session-revoked": "AADSTS50173", "temporarily_unavailable": "server-busy",
    ]

    /// The scopes that the built-in authority has; its own for the others.
    private static func scopes(_ customer: CustomerRequest) -> [String] {
        let known = Directory.standard.scopeNames
        let shared = customer.scopes.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.filter(known.contains)
        return shared.isEmpty ? ["User.Read"] : shared
    }

    /// What is the customer's in it, and what was replaced.
    private static func story(_ scenario: Scenario, _ customer: CustomerRequest) -> String {
        let path = customer.redirectPath.map { ", the path \($0) of the redirect URI" } ?? ""
        let prompt = customer.prompt.map { ", prompt=\($0)" } ?? ""
        let scopes = scenario.client.scopes.joined(separator: " ")
        let isShared = !customer.scopes.isEmpty && customer.scopes.contains { $0.hasSuffix(scenario.client.scopes[0]) }
        let whose = isShared ? "the customer's scopes" : "the scope"
        return "The same failure at the built-in authority, with \(whose) \(scopes)\(path)\(prompt). "
            + "The user, the application and the hosts are the demonstration's."
    }

    /// How the authority or the application fails, and what fixes it.
    struct Row: Sendable {
        let cause: String
        let title: String
        let fix: String
        let kind: Kind

        enum Kind: Sendable {
            /// The authority rejects a refresh with this error; a new sign-in works.
            /// - instead: how it differs from the customer's failure.
            case rejectedRefresh(AuthorityErrorCode, instead: String? = nil)
            /// The authority has a fault, which is then removed.
            case fault(String, of: Failing)
            /// The authority's settings are wrong, and then the standard ones.
            case setting(Failing, @Sendable (inout AuthoritySettings) -> Void)
            /// The authority is down when a token needs a refresh, and works again after a while.
            case interrupted
            /// The application is configured wrongly, and then correctly.
            case client(@Sendable (inout Scenario, CustomerRequest) -> Void)
            /// The user declines, and then accepts.
            case declined
            /// A silent request can't complete what an interactive one can.
            case silent(scopes: [String], claims: String?)
            /// The request itself is wrong, and then right.
            case request(scopes: [String])
        }

        /// How the sign-in ends with the fault.
        enum Failing: Sendable {
            case rejected
            /// The page leads nowhere, so the user closes it.
            case closed
            /// The sign-in works, with a warning.
            case warned

            var words: String {
                switch self {
                case .rejected, .closed: "This is the customer's failure."
                case .warned: "The sign-in works here, with the warning that other programs take for a failure."
                }
            }

            var expectation: GuidedWalk.Step.Expectation {
                switch self {
                case .rejected: .anyFailure
                case .closed: .failure(.userCanceled)
                case .warned: .token(isFromCache: false)
                }
            }
        }

        fileprivate func prepare(_ scenario: inout Scenario, _ customer: CustomerRequest) {
            switch kind {
            case .rejectedRefresh(let code, _):
                scenario.settings.lifetimes = Scenario.briefTokens
                scenario.settings.policies.revocation = code
            case .fault(let name, _): if let fault = Fault(named: name) { scenario.settings.add(fault) }
            case .setting(_, let change): change(&scenario.settings)
            case .client(let change): change(&scenario, customer)
            case .interrupted:
                scenario.settings.lifetimes = Scenario.briefTokens
                scenario.settings.interruption = Interruption(status: 503, retryAfter: 1, requests: 1)
            case .declined, .silent, .request: break
            }
        }

        /// Adds the steps, and returns how many belong to the fix.
        fileprivate func steps(fixed scenario: inout Scenario, _ customer: CustomerRequest) -> Int {
            let fixed = "The fix works: \(fix)"
            let prompt = MSALPromptType(customer)
            var (failing, fixing): ([GuidedWalk.Step], [GuidedWalk.Step])
            switch kind {
            case .rejectedRefresh(let code, let instead):
                failing = [
                    .signIn(Scenario.ann, look: "A first sign-in works."),
                    .silently(
                        Scenario.ann, gives: .anyFailure,
                        look: instead ?? "The authority rejects the refresh token: AADSTS\(code.rawValue)."),
                ]
                fixing = [.signIn(Scenario.ann, look: fixed)]
            case .fault(_, let end), .setting(let end, _):
                failing = [.signIn(Scenario.ann, gives: end.expectation, look: end.words)]
                fixing = [.repair(Scenario.ann, fix), .signIn(Scenario.ann, look: fixed)]
            case .interrupted:
                failing = [
                    .signIn(Scenario.ann, look: "A first sign-in works."),
                    .silently(
                        Scenario.ann, gives: .anyFailure, look: "The authority returns HTTP 503, and asks to wait."),
                ]
                fixing = [
                    .wait(Scenario.ann, seconds: 2, look: "The authority recovers."),
                    .silently(Scenario.ann, gives: .token(isFromCache: false), look: fixed),
                ]
            case .client:
                failing = [
                    .signIn(
                        Scenario.ann, gives: .failure(.userCanceled),
                        look: "The authority shows an error page, and sends nothing to the application.")
                ]
                fixing = [.signIn(Scenario.ann, application: 1, look: fixed)]
            case .declined:
                failing = [
                    .signIn(
                        Scenario.wang, scopes: ["User.Read", "Mail.Read"], declines: true,
                        gives: .failure(.userCanceled), look: "The authority returns access_denied, without a code.")
                ]
                fixing = [.signIn(Scenario.wang, scopes: ["User.Read", "Mail.Read"], look: fixed)]
            case .silent(let scopes, let claims):
                failing = [
                    .signIn(Scenario.ann, look: "A first sign-in works."),
                    .silently(
                        Scenario.ann, scopes: scopes, claims: claims, gives: .failure(.interactionRequired),
                        look: "A silent request can't show a page, so it fails."),
                ]
                fixing = [.signIn(Scenario.ann, scopes: scopes, claims: claims, look: fixed)]
            case .request(let scopes):
                failing = [
                    .signIn(
                        Scenario.ann, scopes: scopes, gives: .anyFailure, look: "The authority rejects the request.")
                ]
                fixing = [.signIn(Scenario.ann, look: fixed)]
            }
            for index in failing.indices where failing[index].method != nil { failing[index].prompt = prompt }
            for index in fixing.indices where fixing[index].method != nil { fixing[index].prompt = prompt }
            scenario.steps = failing + fixing
            return fixing.count
        }
    }
}

extension MSALPromptType {
    /// The customer's, if the library has it.
    fileprivate init?(_ customer: CustomerRequest) {
        switch customer.prompt {
        case "login": self = .login
        case "consent": self = .consent
        case "select_account": self = .selectAccount
        default: return nil
        }
    }
}
