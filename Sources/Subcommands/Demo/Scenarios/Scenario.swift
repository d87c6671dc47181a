import Console
import DemoAuthority
import Diagnosis
import JSON

/// An example of a sign-in, as data: its story, users, authority settings, steps and explanations.
///
/// The program plays it with a scripted user or guides a real one through it. The tests check the client against it.
struct Scenario: Sendable, Equatable {
    /// The name on the command line.
    var name: String
    var title: String
    var story: String
    /// Their empty scopes are the client's own.
    var steps: [GuidedWalk.Step]
    var teaches: String
    var settings = AuthoritySettings()
    var client = Client()

    /// The configuration of the application that signs users in.
    struct Client: Sendable, Equatable {
        /// The path of its authority's URL.
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

    /// The users of the scenario, in the directory's order.
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

    /// Every scenario, in reading order.
    static let all = (EmbeddedResource.scenarios.array ?? []).compactMap { try? Scenario($0) }

    /// The one without a name.
    static let plainSignIn = all.first ?? Scenario(name: "", title: "", story: "", steps: [], teaches: "")

    static let ann = "ann@contoso.example"
}

extension Scenario {
    /// A scenario of `Resources/scenarios.json`.
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
