import CResources
import JSON

extension JSONValue {
    func entries<Entry>(
        of section: String, _ entry: (JSONValue) throws(UnexpectedMember) -> Entry
    ) throws(UnexpectedMember) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for (name, value) in try required(section, \.object) { entries[name] = try entry(value) }
        return entries
    }
}

package struct DictionaryEntry: Sendable, Equatable {
    package var meaning: String
    package var source: String

    package init(meaning: String, source: String) { (self.meaning, self.source) = (meaning, source) }

    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        meaning = try json.required("meaning", \.string)
        source = try json.required("source", \.string)
    }
}

/// The meanings of claims, from `Resources/claims.json`.
package struct ClaimDictionary: Sendable {
    package typealias Entry = DictionaryEntry

    private var claims: [String: Entry] = [:]
    private var header: [String: Entry] = [:]
    private var prefixes: [String: Entry] = [:]
    private var values: [String: [String: String]] = [:]

    package init(_ file: JSONValue) throws(JSONValue.UnexpectedMember) {
        claims = try file.entries(of: "claims", Entry.init)
        header = try file.entries(of: "header", Entry.init)
        prefixes = try file.entries(of: "prefixes", Entry.init)
        values = try file.entries(of: "values") { $0.object?.compactMapValues(\.string) ?? [:] }
    }

    private init() {}

    /// The bundled dictionary. A test validates it; a damaged file yields an empty dictionary.
    package static let bundled = (try? Self(JSONValue(resource: keyturn_resource_claims()))) ?? Self()

    package func entry(forClaim name: String) -> Entry? {
        claims[name] ?? prefixes.first { name.hasPrefix($0.key) }?.value
    }

    package func entry(forHeader name: String) -> Entry? { header[name] }

    /// The meaning of a value as a phrase: `pwd` in `amr` (RFC 8176 §2) is "a password".
    package func meaning(ofValue value: String, in claim: String) -> String? { values[claim]?[value] }

    package var names: [String] { claims.keys.sorted() }
}

/// The meanings of request and response parameters and header fields, from `Resources/parameters.json`.
package struct ParameterDictionary: Sendable {
    package typealias Entry = DictionaryEntry

    /// The meanings of exchanges, by the inspector's names.
    private var steps: [String: Entry] = [:]
    private var parameters: [String: Entry] = [:]
    private var headers: [String: Entry] = [:]
    private var prefixes: [String: Entry] = [:]

    package init(_ file: JSONValue) throws(JSONValue.UnexpectedMember) {
        steps = try file.entries(of: "steps", Entry.init)
        parameters = try file.entries(of: "parameters", Entry.init)
        headers = try file.entries(of: "headers", Entry.init)
        prefixes = try file.entries(of: "prefixes", Entry.init)
    }

    private init() {}

    /// The bundled dictionary. A test validates it; a damaged file yields an empty dictionary.
    package static let bundled = (try? Self(file)) ?? Self()

    private static let file = JSONValue(resource: keyturn_resource_parameters())

    /// What a user can change in a request, with what a specification demands then.
    static let changes = file["changes"]?.array ?? []

    static let events = file["events"]?.object ?? [:]

    /// What users call an exchange in a sentence, the request in a few words, and what a response contains.
    static let roles = file["roles"]?.object ?? [:]

    package func entry(forStep name: String) -> Entry? { steps[name] }

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
