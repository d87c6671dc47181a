import Foundation

extension Scenario {
    /// An action and its expected outcome.
    package struct Step: Sendable, Equatable {
        package enum Action: Sendable, Equatable {
            /// The user signs in with a browser.
            case signIn
            /// The user signs in by entering a code on another device.
            case enterCode
            /// The application gets a token silently.
            case acquireSilently
            /// The application sends a request to the authority's API at this path.
            case call(String)
            /// The application removes the account.
            case remove
            case wait(seconds: TimeInterval)
            /// The user reads about the same sign-in in an iOS app.
            case readAboutPhones
        }

        /// The parameters of a token request.
        package struct Request: Sendable, Equatable {
            /// The requested scopes; nil for the client's own.
            package var scopes: [String]?
            /// The URL path of another authority, for example a guest's tenant.
            package var segment: String?
            /// The path of an API that leads to the authority and the client; nil to use the application's own.
            package var resource: String?
            /// A claims request, from a claims challenge.
            package var claims: String?
            package var isForced = false
            /// The index of the application that sends the request.
            package var application = 0

            package init(
                scopes: [String]? = nil, segment: String? = nil, resource: String? = nil, claims: String? = nil,
                isForced: Bool = false, application: Int = 0
            ) {
                self.scopes = scopes
                self.segment = segment
                self.resource = resource
                self.claims = claims
                self.isForced = isForced
                self.application = application
            }
        }

        /// The expected outcome.
        package enum Outcome: Sendable, Equatable {
            case done
            case token(from: Source)
            case failure(Failure)
            /// Any error.
            case anyFailure
            /// The API's last response has this status.
            case status(Int)
        }

        package enum Source: Sendable, Equatable {
            case cache, authority
        }

        /// The expected error codes, in `MSALErrorDomain`.
        package enum Failure: Int, Sendable {
            case other = -50000
            case interactionRequired = -50002
            case declinedScopes = -50003
            case protectionPoliciesRequired = -50004
            case userCanceled = -50005
        }

        /// The claims to show.
        package enum Display: Sendable, Equatable {
            case nothing, everything
            case claims([String])
        }

        package var action: Action
        /// The user of the step.
        package var username: String
        package var request = Request()
        /// The user's choice on the consent page.
        package var consent = ScriptedPerson.Consent.accept
        /// Whether another program sends a forged response to the listener first.
        package var isForged = false
        /// Whether it shows what the previous step changed for a few seconds only.
        package var isUrgent = false
        package var outcome: Outcome
        package var display = Display.nothing
        /// An explanation of the result.
        package var look: String
    }
}

extension Scenario.Step {
    static func signIn(
        _ username: String, _ request: Request = Request(), consent: ScriptedPerson.Consent = .accept,
        gives outcome: Outcome = .token(from: .authority), show display: Display = .nothing,
        look: String
    ) -> Scenario.Step {
        Scenario.Step(
            action: .signIn, username: username, request: request, consent: consent, outcome: outcome,
            display: display, look: look)
    }

    static func silently(
        _ username: String, _ request: Request = Request(), isUrgent: Bool = false, gives outcome: Outcome,
        show display: Display = .nothing, look: String
    ) -> Scenario.Step {
        Scenario.Step(
            action: .acquireSilently, username: username, request: request, isUrgent: isUrgent, outcome: outcome,
            display: display, look: look)
    }

    static func call(_ path: String, as username: String, isUrgent: Bool = false, look: String) -> Scenario.Step {
        Scenario.Step(
            action: .call(path), username: username, isUrgent: isUrgent, outcome: .status(200), look: look)
    }

    /// The instruction for the user, a sentence without a full stop.
    package var instruction: String {
        // As the stories name the users. The name in the directory may be in another script.
        let name = username.prefix(1).uppercased() + username.prefix { $0 != "@" }.dropFirst()
        switch action {
        case .signIn: return "Sign in\(request.target) as \(username)\(request.place)\(consent.advice)"
        case .enterCode: return "Sign in with a code as \(username)\(consent.advice)"
        case .acquireSilently: return "Get \(name)'s token silently\(request.advice)"
        case .call(let path): return "Call \(path) as \(username)"
        case .remove: return "Remove \(name)'s account"
        case .wait(let seconds): return "Wait \(Int(seconds)) seconds"
        case .readAboutPhones: return "Read about the same sign-in in an iOS app"
        }
    }
}

extension Scenario.Step.Request {
    fileprivate var target: String { resource.map { " to \($0)" } ?? "" }

    fileprivate var place: String { segment.map { ", at /\($0)" } ?? "" }

    fileprivate var advice: String {
        var parts: [String] = []
        if let scopes { parts.append("for \(scopes.joined(separator: " "))") }
        if let segment { parts.append("at /\(segment)") }
        if claims != nil { parts.append("with the claims that the API requires") }
        if isForced { parts.append("with a forced refresh") }
        if application > 0 { parts.append("in application \(application + 1)") }
        return parts.isEmpty ? "" : ", " + parts.joined(separator: ", ")
    }
}

extension ScriptedPerson.Consent {
    fileprivate var advice: String {
        switch self {
        case .accept: ""
        case .without(let scopes): "; untick \(scopes.joined(separator: " and ")), then accept"
        case .decline: "; decline"
        }
    }
}
