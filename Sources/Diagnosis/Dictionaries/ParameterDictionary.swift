import CResources
import Foundation
import JSON

/// The meanings of request and response parameters and header fields, from `Resources/parameters.json`.
package struct ParameterDictionary: Sendable {
    package typealias Entry = DictionaryEntry

    /// The meanings of exchanges, by the inspector's names.
    private var steps: [String: Entry] = [:]
    private var parameters: [String: Entry] = [:]
    private var headers: [String: Entry] = [:]
    /// The entries for names with a common prefix.
    private var prefixes: [String: Entry] = [:]

    /// - Throws: if the file is invalid.
    package init(json: Data) throws {
        let file = try DictionaryFile(json)
        steps = try file.entries(of: "steps", Entry.init)
        parameters = try file.entries(of: "parameters", Entry.init)
        headers = try file.entries(of: "headers", Entry.init)
        prefixes = try file.entries(of: "prefixes", Entry.init)
    }

    private init() {}

    /// The bundled dictionary. A test validates it; a damaged file yields an empty dictionary.
    package static let bundled =
        (try? ParameterDictionary(json: Data(keyturn_resource_parameters()))) ?? ParameterDictionary()

    private static let file = try? JSONValue(parsing: Array(Data(keyturn_resource_parameters())))

    /// What a user can change in a request, with what a specification demands then.
    static let changes = file?["changes"]?.array ?? []

    /// The titles of a flow's steps.
    static let events = file?["events"]?.object ?? [:]

    /// What users call an exchange in a sentence, the request in a few words, and what a response contains.
    static let roles = file?["roles"]?.object ?? [:]

    package func entry(forStep name: String) -> Entry? { steps[name] }

    /// The entry for a query or form parameter, or a member of a JSON response.
    package func entry(forParameter name: String) -> Entry? { parameters[name] ?? family(of: name) }

    /// The entry for a header field, in any letter case (RFC 9110 §5.1).
    package func entry(forHeader name: String) -> Entry? {
        let name = name.lowercased()
        return headers[name] ?? parameters[name] ?? family(of: name)
    }

    package var names: [String] { parameters.keys.sorted() }

    package var headerNames: [String] { headers.keys.sorted() }

    private func family(of name: String) -> Entry? {
        let name = name.lowercased()
        return prefixes.first { name.hasPrefix($0.key) }?.value
    }
}
