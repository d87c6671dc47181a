import Console
import DemoAuthority
import Diagnosis
import JSON

/// An example of a sign-in, as data: its story, users, authority settings, steps and explanations.
/// The program plays it with a scripted user or guides a real one through it. The tests check the client against it.
struct Scenario: Sendable, Equatable {
    var name: String
    var title: String
    var story: String
    var steps: [GuidedWalk.Step]
    var teaches: String
    var settings = AuthoritySettings()
    var client = Client()

    struct Client: Sendable, Equatable {
        var segment = "common"
        var type = AuthorityKind.aad
        var scopes = ["User.Read"]
        /// One redirect URI for each application that shares the cache and the client ID.
        var redirectURIs = ["http://localhost"]
        /// Another client ID than the registered one, of the first application.
        var clientID: String?
        /// Whether the authority uses TLS with a certificate that this computer doesn't trust.
        var usesUntrustedTLS = false
        var capabilities: [String] = []
        /// Whether its authority's organisation grants access to the built-in API `/api/team`, which has another authority.
        var isManaged = false
        /// The user in the ADAL cache that the application migrates.
        var adalUsername: String?

        func clientID(of application: Int) -> String? { application == 0 ? clientID : nil }
    }

    var users: [User] {
        let names = Set(steps.map(\.username))
        return Directory.standard.users.filter { names.contains($0.username) }
    }

    var walk: GuidedWalk {
        let steps = steps.map { step in
            var step = step
            if step.scopes.isEmpty { step.scopes = client.scopes }
            return step
        }
        return GuidedWalk(name: name, title: title, story: story, steps: steps, teaches: teaches)
    }

    static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

    static let all = (EmbeddedResource.scenarios.array ?? []).compactMap { try? Scenario($0) }

    /// The one without a name.
    static let plainSignIn = all.first ?? Scenario(name: "", title: "", story: "", steps: [], teaches: "")

    static let ann = "ann@contoso.example"
}

extension Scenario {
    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        self.init(
            name: try json.required("name", \.string), title: try json.required("title", \.string),
            story: try json.required("story", \.string),
            steps: try json.required("steps", \.array).map { json throws(JSONValue.UnexpectedMember) in
                try GuidedWalk.Step(json)
            },
            teaches: try json.required("teaches", \.string))
        Self.changes[name]?(&self)
    }
}

extension Scenario {
    /// One sign-in at an authority with a fault, and a refresh if the fault is of refreshes.
    init(_ fault: Fault) {
        let ending: GuidedWalk.Step.Expectation =
            switch fault.demand {
            case .accept: .token(isFromCache: false)
            case .reject: .anyFailure
            case .ignore: .failure(.userCanceled)
            }
        let demand = fault.demand.sentence
        let story = "\(fault.behaviour) \(demand)"
        let look = [demand, fault.reference].compactMap(\.self).joined(separator: " ")
        let usual = GuidedWalk.Step(
            .signIn(.browser),
            look: "The sign-in works: the fault is in \(fault.isOfSignOuts ? "sign-outs" : "refreshes")."
        ) { $0.resource = fault.resource }
        let steps =
            fault.isOfRefreshes
            ? [
                usual,
                GuidedWalk.Step(.acquireSilently, look: look, expected: ending) {
                    ($0.resource, $0.isForced) = (fault.resource, true)
                },
            ]
            : fault.isOfSignOuts
                ? [usual, GuidedWalk.Step(.remove, look: look) { $0.revokes = true }]
                : [GuidedWalk.Step(.signIn(.browser), look: look, expected: ending) { $0.resource = fault.resource }]
        self.init(name: "fault-\(fault.name)", title: fault.title, story: story, steps: steps, teaches: story)
        settings = fault.settings
        client.isManaged = fault.isOfAssertions
    }
}

extension Fault.Demand {
    fileprivate var sentence: String {
        switch self {
        case .reject: "The client must return an error."
        case .accept: "The client must continue."
        case .ignore: "The client must ignore the response, and wait for another until the user cancels."
        }
    }
}
