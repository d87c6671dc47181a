import Console
import DemoAuthority
import Diagnosis
import JSON

extension GuidedWalk.Step {
    /// A step of `Resources/scenarios.json`. Members that are missing are false, empty, or the usual of its action.
    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        func isSet(_ member: String) throws(JSONValue.UnexpectedMember) -> Bool {
            try json.optional(member, \.bool) ?? false
        }
        let action = try Action(json)
        self.init(
            action, instruction: "", look: try json.required("look", \.string),
            username: try json.required("user", \.string), scopes: try json.optional("scopes", \.strings) ?? [],
            segment: try json.optional("segment", \.string).map(Directory.standard.path),
            resource: try json.optional("resource", \.string), claims: try isSet("isChallenged") ? Self.challenge : nil,
            isForced: try isSet("isForced"), application: try json.optional("application", \.integer) ?? 0,
            expected: try json.optional("gives") { $0.string.flatMap { Expectation.named[$0] } } ?? action.usual,
            shownClaims: try json.optional("show", \.strings) ?? [], isUrgent: try isSet("isUrgent"))
        unticked = try json.optional("unticks", \.strings) ?? []
        (declines, isForged, revokes) = (try isSet("declines"), try isSet("isForged"), try isSet("revokes"))
        hesitation = try json.optional("hesitates", \.double) ?? 0
        instruction = usualInstruction
    }

    init(_ action: Action, look: String, expected: Expectation? = nil, _ set: (inout Self) -> Void = { _ in }) {
        self.init(action, instruction: "", look: look, username: Scenario.ann, expected: expected ?? action.usual)
        set(&self)
        instruction = usualInstruction
    }

    /// What the API for administrators requires.
    private static let challenge = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    private var usualInstruction: String {
        switch action {
        case .signIn(let method):
            let target = (method == .device ? " with a code" : "") + (resource.map { " to \($0)" } ?? "")
            let place = segment.map { ", at /\($0)" } ?? ""
            let choice =
                declines
                ? "; decline" : unticked.isEmpty ? "" : "; untick \(unticked.joined(separator: " and ")), then accept"
            return "Sign in\(target) as \(username)\(place)\(choice)"
        case .acquireSilently:
            let details = [
                resource.map { "for \($0)" }, scopes.isEmpty ? nil : "for \(scopes.joined(separator: " "))",
                segment.map { "at /\($0)" }, claims == nil ? nil : "with the claims that the API requires",
                isForced ? "with a forced refresh" : nil, application == 0 ? nil : "in application \(application + 1)",
            ].compactMap(\.self).map { ", \($0)" }.joined()
            return "Get \(name)'s token silently\(details)"
        case .call(let target, _): return "Call \(target.address) as \(username)"
        case .remove: return "Remove \(name)'s account" + (revokes ? " and revoke its refresh token" : "")
        case .wait(let seconds): return "Wait \(Int(seconds)) seconds"
        case .read(let diagram):
            return "Read about the same \(diagram.title.prefix(1).lowercased() + diagram.title.dropFirst())"
        }
    }

    /// The user's name, as the stories write it. The name in the directory may be in another script.
    private var name: String { username.prefix(1).uppercased() + username.prefix { $0 != "@" }.dropFirst() }
}

extension GuidedWalk.Step.Action {
    fileprivate init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        switch try json.required("do", \.string) {
        case "signIn": self = .signIn(try json.optional("by") { $0.string.flatMap(SignInMethod.init) } ?? .browser)
        case "silently": self = .acquireSilently
        case "call": self = .call(APITarget(address: try json.required("path", \.string)), by: .browser)
        case "remove": self = .remove
        case "wait": self = .wait(seconds: try json.required("seconds", \.double))
        case "read": self = .read(try json.required("diagram") { try? SequenceDiagram($0) })
        default: throw JSONValue.UnexpectedMember()
        }
    }

    /// The outcome if a step names none.
    fileprivate var usual: GuidedWalk.Step.Expectation {
        switch self {
        case .signIn: .token(isFromCache: false)
        case .call: .status(200)
        case .acquireSilently, .remove, .wait, .read: .success
        }
    }
}

extension GuidedWalk.Step.Expectation {
    fileprivate static let named: [String: Self] = [
        "cached token": .token(isFromCache: true), "new token": .token(isFromCache: false), "failure": .anyFailure,
        "interactionRequired": .failure(.interactionRequired), "userCanceled": .failure(.userCanceled),
        "internal": .failure(.internal), "serverDeclinedScopes": .failure(.serverDeclinedScopes),
        "serverProtectionPoliciesRequired": .failure(.serverProtectionPoliciesRequired),
    ]
}

extension SequenceDiagram {
    /// A diagram of what no scenario can play.
    fileprivate init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        self.init(
            title: try json.required("title", \.string),
            arrows: try json.required("arrows", \.array).map { json throws(JSONValue.UnexpectedMember) in
                func party(_ member: String) throws(JSONValue.UnexpectedMember) -> Party {
                    try json.required(member) { title in Party.allCases.first { $0.title == title.string } }
                }
                let isResponse = json["isResponse"] != nil
                return Arrow(
                    try party("from"), try party("to"), try json.required("label", \.string),
                    text: try json.required("text", \.string), outcome: isResponse ? .responded : .sent,
                    notes: try json.optional("notes", \.strings) ?? [], message: isResponse ? .response : .request)
            })
    }
}

extension Directory {
    /// The path of a tenant's authority by the tenant's domain; another path is itself.
    fileprivate func path(_ segment: String) -> String { tenants.first { $0.domains.contains(segment) }?.id ?? segment }
}
