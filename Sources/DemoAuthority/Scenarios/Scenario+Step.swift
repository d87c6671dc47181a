import Foundation

extension Scenario {
    /// One thing that is done, and what must come of it.
    package struct Step: Sendable, Equatable {
        package enum Action: Sendable, Equatable {
            /// A browser opens, and somebody signs in.
            case signIn
            /// The same with a code that is entered on another device.
            case enterCode
            /// A token without showing anything.
            case acquireSilently
            /// The account leaves the application.
            case remove
            case wait(seconds: TimeInterval)
        }

        /// What a token request says besides the profile.
        package struct Request: Sendable, Equatable {
            /// nil: the client's own.
            package var scopes: [String]?
            /// The path of another authority's address, such as a guest's tenant.
            package var segment: String?
            /// A claims request, as a claims challenge brings it.
            package var claims: String?
            package var isForced = false
            /// Which of the applications asks.
            package var application = 0

            package init(
                scopes: [String]? = nil, segment: String? = nil, claims: String? = nil, isForced: Bool = false,
                application: Int = 0
            ) {
                self.scopes = scopes
                self.segment = segment
                self.claims = claims
                self.isForced = isForced
                self.application = application
            }
        }

        /// What must come of it.
        package enum Outcome: Sendable, Equatable {
            case done
            case token(from: Source)
            case failure(Failure)
        }

        package enum Source: Sendable, Equatable {
            case cache, authority
        }

        /// The codes of MSAL for iOS and macOS in which a step may end, in `MSALErrorDomain`.
        package enum Failure: Int, Sendable {
            case other = -50000
            case interactionRequired = -50002
            case declinedScopes = -50003
            case protectionPoliciesRequired = -50004
            case userCanceled = -50005
        }

        /// Which claims of the tokens are worth a look.
        package enum Display: Sendable, Equatable {
            case nothing, everything
            case claims([String])
        }

        package var action: Action
        /// Who it is about.
        package var username: String
        package var request = Request()
        /// What they answer on the consent page.
        package var consent = ScriptedPerson.Consent.accept
        package var outcome: Outcome
        package var display = Display.nothing
        /// What to look at, and what it means.
        package var look: String
    }
}

extension Scenario.Step {
    static func signIn(
        _ username: String, _ request: Request = Request(), consent: ScriptedPerson.Consent = .accept,
        gives outcome: Outcome = .token(from: .authority), show display: Display = .nothing, look: String
    ) -> Scenario.Step {
        Scenario.Step(
            action: .signIn, username: username, request: request, consent: consent, outcome: outcome,
            display: display, look: look)
    }

    static func silently(
        _ username: String, _ request: Request = Request(), gives outcome: Outcome, show display: Display = .nothing,
        look: String
    ) -> Scenario.Step {
        Scenario.Step(
            action: .acquireSilently, username: username, request: request, outcome: outcome, display: display,
            look: look)
    }

    /// What the person before the screen does, as a sentence without a full stop.
    package func instruction(in directory: Directory) -> String {
        let name = directory.person(named: username)?.givenName ?? username
        switch action {
        case .signIn: return "Sign in as \(username)\(consent.advice)"
        case .enterCode: return "Sign in with a code as \(username)\(consent.advice)"
        case .acquireSilently: return "Ask for a token for \(name) without showing anything\(request.advice)"
        case .remove: return "Remove \(name)'s account"
        case .wait(let seconds): return "Wait \(Int(seconds)) seconds"
        }
    }
}

extension Scenario.Step.Request {
    fileprivate var advice: String {
        var parts: [String] = []
        if let scopes { parts.append("for \(scopes.joined(separator: " "))") }
        if let segment { parts.append("at \(segment)") }
        if claims != nil { parts.append("with the claims that the API wants") }
        if isForced { parts.append("even if one is cached") }
        if application > 0 { parts.append("in application \(application + 1)") }
        return parts.isEmpty ? "" : ", " + parts.joined(separator: ", ")
    }
}

extension ScriptedPerson.Consent {
    fileprivate var advice: String {
        switch self {
        case .accept: ""
        case .without(let scopes): ", and untick \(scopes.joined(separator: " and ")) before you accept"
        case .decline: ", and decline"
        }
    }
}
