import CResources
import Foundation

/// The meanings of claims, from `Resources/claims.json`.
package struct ClaimDictionary: Sendable {
    package typealias Entry = DictionaryEntry

    private var claims: [String: Entry] = [:]
    private var header: [String: Entry] = [:]
    /// The entries for claims with a common prefix.
    private var prefixes: [String: Entry] = [:]
    /// The meanings of values, as phrases.
    private var values: [String: [String: String]] = [:]

    /// - Throws: if the file is invalid.
    package init(json: Data) throws {
        let file = try DictionaryFile(json)
        claims = try file.entries(of: "claims", Entry.init)
        header = try file.entries(of: "header", Entry.init)
        prefixes = try file.entries(of: "prefixes", Entry.init)
        values = try file.entries(of: "values") { $0.object?.compactMapValues(\.string) ?? [:] }
    }

    private init() {}

    /// The bundled dictionary. A test validates it; a damaged file yields an empty dictionary.
    package static let bundled = (try? ClaimDictionary(json: Data(keyturn_resource_claims()))) ?? ClaimDictionary()

    package func entry(forClaim name: String) -> Entry? {
        claims[name] ?? prefixes.first { name.hasPrefix($0.key) }?.value
    }

    package func entry(forHeader name: String) -> Entry? { header[name] }

    /// The meaning of a value as a phrase: `pwd` in `amr` (RFC 8176 §2) is "a password".
    package func meaning(ofValue value: String, in claim: String) -> String? { values[claim]?[value] }

    package var names: [String] { claims.keys.sorted() }
}
