import Foundation

/// An example of a sign-in, as data: its story, users, authority settings, steps and explanations.
///
/// The program plays it with a scripted user or guides a real one through it. The tests check the client against it.
package struct Scenario: Sendable, Equatable {
    /// The name on the command line.
    package var name: String
    package var title: String
    package var story: String
    package var steps: [Step]
    package var teaches: String
    package var directory = Directory.standard
    package var settings = AuthoritySettings()
    package var client = Client()

    /// The configuration of the application that signs users in.
    package struct Client: Sendable, Equatable {
        package enum Dialect: Sendable, Equatable {
            case entra, b2c, external, openID
        }

        /// The path of its authority's URL.
        package var segment = "common"
        package var dialect = Dialect.entra
        package var scopes = ["User.Read"]
        /// One redirect URI for each application that shares the cache and the client ID.
        package var redirectURIs = ["http://localhost"]
        package var capabilities: [String] = []
        /// The user in the ADAL cache that the application migrates.
        package var adalUsername: String?

        package init() {}
    }

    /// The users of the scenario, in the directory's order.
    package var people: [Person] {
        let names = Set(steps.map(\.username))
        return directory.people.filter { names.contains($0.username) }
    }

    package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}
