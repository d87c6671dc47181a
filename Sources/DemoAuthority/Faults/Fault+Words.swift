import CResources
import OAuthCore

/// What users read of a fault, from `Resources/authority/faults.json`.
extension Fault {
    private static let file: JSONValue = {
        let resource = keyturn_resource_faults()
        let bytes = UnsafeBufferPointer(start: resource.bytes, count: resource.count)
        return (try? JSONValue(parsing: Array(bytes))) ?? .null
    }()

    private var words: JSONValue? { Self.file["faults"]?[name] }

    package var title: String { words?["title"]?.string ?? name }

    /// What the authority does, as a sentence.
    package var behaviour: String { words?["behaviour"]?.string ?? name }

    /// The source as a sentence. A conformance module tests a section of a specification.
    package var reference: String? {
        guard let source else { return nil }
        let section = Self.file["sections"]?[source]?.string
        return section.map { "Source: \($0); conformance test \(source)." } ?? "Source: \(source)."
    }
}
