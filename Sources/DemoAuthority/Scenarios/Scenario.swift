import Foundation

/// One thing that can happen when people sign in, to be shown and explained: its story, who is in it, how the authority
/// behaves, what to press and what to look at.
///
/// It is data. The program plays it with a scripted person, walks a person through it, and the tests hold the client
/// against it.
package struct Scenario: Sendable, Equatable {
    /// As it is typed on the command line.
    package var name: String
    package var title: String
    package var story: String
    package var steps: [Step]
    package var teaches: String
    package var directory = Directory.standard
    package var settings = AuthoritySettings()
    package var client = Client()

    /// The application that signs in, as its developer set it up.
    package struct Client: Sendable, Equatable {
        package enum Dialect: Sendable, Equatable {
            case entra, b2c, external, openID
        }

        /// The path of its authority's address.
        package var segment = "common"
        package var dialect = Dialect.entra
        package var scopes = ["User.Read"]
        /// One for each application that shares the cache; all have the same client identifier.
        package var redirectURIs = ["http://localhost"]
        package var capabilities: [String] = []
        /// Who is in an ADAL cache that lies beside the program.
        package var adalUsername: String?

        package init() {}
    }

    /// The people who appear in it, in the directory's order.
    package var people: [Person] {
        let names = Set(steps.map(\.username))
        return directory.people.filter { names.contains($0.username) }
    }

    package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}
