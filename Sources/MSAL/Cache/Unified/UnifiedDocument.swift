import Foundation
import OAuthCore

/// A token cache in the unified schema, which the MSAL libraries for Python, .NET, Go, Java and Node share: an object
/// of maps. What isn't changed keeps its bytes, also unknown members, invalid entries and other libraries' keys.
package struct UnifiedDocument: Sendable {
    /// The data isn't a token cache. Contains none of the data, which may be secret.
    package enum Malformed: Error, Sendable, Equatable {
        case notJSON
        case notAMap(String)
    }

    /// A member of a map.
    struct Slot: Sendable {
        var key: String
        var json: [UInt8]
        var entry: UnifiedEntry?
    }

    /// A member of the root.
    struct Member: Sendable {
        var name: String
        var content: Content

        enum Content: Sendable {
            case section(UnifiedSection, [Slot])
            case other(json: [UInt8])
        }

        /// None in a member that isn't a map of the schema.
        var slots: [Slot] { if case .section(_, let slots) = content { slots } else { [] } }
    }

    var members: [Member] = []

    package init() {}

    /// Parses a cache. An empty text is an empty cache, because one of the libraries creates the file so.
    package init(parsing bytes: [UInt8]) throws(Malformed) {
        guard !Self.isBlank(bytes) else { return }
        let bytes = Array(Self.withoutMark(bytes))
        do throws(JSONValue.Malformed) {
            for member in Self.last(try JSONReader.members(of: bytes)) {
                members.append(try Self.read(member, of: bytes))
            }
        } catch { throw .notJSON }
        for member in members where UnifiedSection(spelled: member.name) != nil {
            if case .other(let json) = member.content, json != Array("null".utf8) { throw .notAMap(member.name) }
        }
    }

    /// Whether a text is empty except for white space and a byte order mark.
    package static func isBlank(_ bytes: [UInt8]) -> Bool {
        withoutMark(bytes).allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    }

    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    /// Whether it is an object with other members only, such as a recording.
    package var isForeign: Bool { !members.isEmpty && !members.contains { UnifiedSection(spelled: $0.name) != nil } }

    private static func read(_ member: JSONReader.Member, of bytes: [UInt8]) throws(JSONValue.Malformed) -> Member {
        guard let section = UnifiedSection(spelled: member.name), bytes[member.value.lowerBound] == UInt8(ascii: "{")
        else { return Member(name: member.name, content: .other(json: Array(bytes[member.value]))) }
        var slots: [Slot] = []
        for item in last(try JSONReader.members(of: bytes, in: member.value)) {
            // An invalid entry stays unchanged and isn't used.
            slots.append(Slot(key: item.name, json: Array(bytes[item.value]), in: section))
        }
        return Member(name: member.name, content: .section(section, slots))
    }

    private static func last(_ members: [JSONReader.Member]) -> [JSONReader.Member] {
        var places: [String: Int] = [:]
        for (index, member) in members.enumerated() { places[member.name] = index }
        guard places.count < members.count else { return members }
        return members.enumerated().filter { places[$1.name] == $0 }.map(\.element)
    }

    package var hasSections: Bool {
        members.contains { if case .section = $0.content { true } else { false } }
    }

    package var bytes: [UInt8] {
        var json: [UInt8] = []
        Self.write(members, to: &json) { member, json in
            switch member.content {
            case .other(let value): Self.write(name: member.name, value, to: &json)
            case .section(_, let slots):
                Self.write(name: member.name, [], to: &json)
                Self.write(slots, to: &json) { slot, json in Self.write(name: slot.key, slot.json, to: &json) }
            }
        }
        return json
    }

    private static func write<Element>(
        _ elements: [Element], to json: inout [UInt8], element: (Element, inout [UInt8]) -> Void
    ) {
        json.append(UInt8(ascii: "{"))
        for (index, value) in elements.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "\n"))
            element(value, &json)
        }
        json.append(UInt8(ascii: "}"))
    }

    private static func write(name: String, _ value: [UInt8], to json: inout [UInt8]) {
        json += Array(JSONValue.string(name).serialized.utf8)
        json += Array(": ".utf8)
        json += value
    }
}

extension UnifiedDocument.Malformed {
    /// The cause, for the end of a sentence.
    package var explanation: String {
        switch self {
        case .notJSON: "neither a JSON object nor one in base64"
        case .notAMap(let name): "\(name) is not an object"
        }
    }
}

/// A unified cache in a file or keyring: JSON, or base64 of it (MSAL .NET and Go).
package struct UnifiedPayload: Sendable {
    package enum Form: Sendable, Equatable {
        case raw
        case base64
    }

    package var form: Form
    package var document: UnifiedDocument

    package init(form: Form = .raw, document: UnifiedDocument = UnifiedDocument()) {
        self.form = form
        self.document = document
    }

    /// Parses either form, distinguished by the first character. A JSON object never starts like base64.
    package init(parsing bytes: [UInt8]) throws(UnifiedDocument.Malformed) {
        let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        guard let first, [0x2B, 0x2F].contains(first) || first.isASCIILetter || first.isDigit else {
            self.init(form: .raw, document: try UnifiedDocument(parsing: bytes))
            return
        }
        guard let decoded = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters),
            decoded.first.map({ $0 == UInt8(ascii: "{") || $0 == 0xEF }) == true
        else { throw .notJSON }
        self.init(form: .base64, document: try UnifiedDocument(parsing: Array(decoded)))
    }

    package var bytes: [UInt8] {
        switch form {
        case .raw: document.bytes
        case .base64: Array(Data(document.bytes).base64EncodedData())
        }
    }
}
