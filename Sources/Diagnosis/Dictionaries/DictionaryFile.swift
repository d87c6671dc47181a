import CResources
import Foundation
import JSON

/// A file of `Resources`: sections of entries by name.
struct DictionaryFile {
    private let sections: JSONValue

    init(_ json: Data) throws { sections = try JSONValue(parsing: Array(json)) }

    func entries<Entry>(
        of section: String, _ entry: (JSONValue) throws(JSONValue.UnexpectedMember) -> Entry
    ) throws(JSONValue.UnexpectedMember) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for (name, value) in try sections.required(section, \.object) { entries[name] = try entry(value) }
        return entries
    }
}

/// The meaning of a name.
package struct DictionaryEntry: Sendable, Equatable {
    /// The meaning in one sentence.
    package var meaning: String
    /// The document that defines it, with a section if it has any.
    package var source: String

    package init(meaning: String, source: String) {
        self.meaning = meaning
        self.source = source
    }

    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        meaning = try json.required("meaning", \.string)
        source = try json.required("source", \.string)
    }
}

extension Data {
    /// The content of a bundled file.
    init(_ resource: keyturn_resource) {
        self.init(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }
}
