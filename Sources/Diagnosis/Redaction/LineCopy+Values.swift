import Foundation
import MSAL
import OAuthCore

/// Names with values.
extension LineCopy {
    /// A name of a protocol, a configuration or a log, with its value.
    mutating func copyPair() -> Bool {
        guard isStart(index) || !bytes[index - 1].isWordCharacter, bytes[index].isWordCharacter else { return false }
        var end = index
        while end < bytes.count, bytes[end].isWordCharacter || "-.:".utf8.contains(bytes[end]) {
            if bytes[end] == UInt8(ascii: ":"), !CopyVocabulary.namespaces.contains(string(index..<end)) { break }
            end += 1
        }
        let name = string(index..<end)
        let before = index > 0 ? bytes[index - 1] : 0
        let isQuoted = end < bytes.count && before == bytes[end] && "\"'".utf8.contains(before)
        var separator = end + (isQuoted ? 1 : 0)
        // A quotation mark in a text of JSON.
        let isEscaped =
            !isQuoted && index > 1 && bytes[index - 2] == UInt8(ascii: "\\") && before == UInt8(ascii: "\"")
            && bytes[end...].starts(with: Array("\\\"".utf8))
        if isEscaped { separator += 2 }
        while separator < bytes.count, bytes[separator] == UInt8(ascii: " ") { separator += 1 }
        guard separator < bytes.count, ":=".utf8.contains(bytes[separator]) else { return false }
        if bytes[separator...].starts(with: Array("://".utf8)) { return false }
        let isMember = bytes[separator] == UInt8(ascii: ":")
        let isParameter = bytes[separator] == UInt8(ascii: "=") && "?&".utf8.contains(before)
        let isName = placeholders.isNameOfProtocol(name)
        guard isName || (isQuoted || isEscaped) && isMember || isParameter else { return false }
        var value = separator + 1
        while value < bytes.count, bytes[value] == UInt8(ascii: " ") { value += 1 }
        // A longer text of the rules begins like it.
        guard known[index] ?? 0 <= value, forms[index] == nil else { return false }
        let shown = isName ? name : placeholders.hide(name, as: "name")
        flush()
        isField = Self.isField(text)
        write(shown + string(end..<value))
        word = name
        index = value
        copyValue(of: isName ? name : nil, isMember: isMember, isQuoted: isQuoted || isEscaped)
        return true
    }

    /// Whether only marks of a list or of a tool precede, so that the rest of the line is the value.
    static func isField(_ before: String) -> Bool {
        ["\\n", "header: "].contains { before.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
            || before.utf8.allSatisfy { " \t<>-*{".utf8.contains($0) }
    }

    /// - Parameter name: `nil` if it's hidden.
    mutating func copyValue(of name: String?, isMember: Bool, isQuoted: Bool) {
        guard index < bytes.count else { return }
        if copyPrivateValue() { return }
        if let (start, end, after) = PrivateValues.quoted(bytes, at: index) {
            let inner = string(start..<end).replacing("\\/", with: "/").replacing("\\u0026", with: "&")
            write(string(index..<start) + value(inner, of: name) + string(end..<after))
            index = after
        } else if isMember {
            copyMember(of: name, isQuoted: isQuoted)
        } else {
            let end =
                bytes[index...].firstIndex { Self.isSign($0) && $0 != UInt8(ascii: ":") || $0 == UInt8(ascii: "&") }
                ?? bytes.count
            guard end > index, known[index] ?? 0 < end else { return }
            let text = string(index..<end)
            let isStatus =
                text.utf8.count == 3 && isNumber(text)
                && CopyVocabulary.beforeNumbers.contains((name ?? "").lowercased())
            write(text.utf8.count <= 5 && Self.constants.contains(text) || isStatus ? text : parameter(text, of: name))
            index = end
        }
    }

    static let constants: Set = ["true", "false", "null", "None", "True", "False"]

    /// The value of a secret or of a user's name, which is hidden as a whole.
    mutating func copyPrivateValue() -> Bool {
        guard let value = privates.values[index] else { return false }
        let text = string(value.range)
        let shown =
            if !value.isSecret {
                placeholders.personal(text)
            } else {
                placeholders.secret(Parameters(formEncoded: "x=" + text)["x"] ?? text, of: value.name)
            }
        let mark = value.needsQuotes ? "\"" : ""
        write(
            string(index..<value.range.lowerBound) + mark + shown + mark + string(value.range.upperBound..<value.after))
        word = value.name
        index = value.after
        return true
    }

    /// Whether the value of an unknown name says something. A few words can be a name.
    private func isSentence(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: " ")) else { return false }
        let words = text.split(separator: " ").count
        return words > 4 || words > 1 && (text.contains("://") || !LogFile.known(in: Array(text.utf8)).isEmpty)
    }

    mutating func value(_ text: String, of name: String?) -> String {
        guard !text.isEmpty else { return "" }
        guard let name else {
            return isSentence(text) ? placeholders.text(Array(text.utf8)) : placeholders.hide(text, as: "value")
        }
        if CopyVocabulary.isSetting(name) {
            return ["Scopes", "scopes"].contains(name)
                ? placeholders.value(text, of: "scope") : placeholders.setting(text)
        }
        if let entry = WireParameter.named(name), entry.isHeader, entry.copiedForm(isHeader: false) == nil {
            let bare = text.replacing("\\\"", with: "\"")
            return bare == text ? field(text, of: name) : field(bare, of: name).replacing("\"", with: "\\\"")
        }
        if CopyVocabulary.isText(name) { return placeholders.text(Array(text.utf8)) }
        return placeholders.value(text, of: name)
    }

    mutating func parameter(_ text: String, of name: String?) -> String {
        let isEncoded = text.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        let decoded = isEncoded ? Parameters(formEncoded: "x=" + text)["x"] ?? text : text
        let shown = value(decoded, of: name)
        return decoded == text ? shown : String(Parameters(dictionaryLiteral: ("x", shown)).formEncoded.dropFirst(2))
    }

    /// The value of a member of JSON or YAML, or of a header field, without quotation marks.
    mutating func copyMember(of name: String?, isQuoted: Bool) {
        if let name, !isQuoted, isField, WireParameter.named(name)?.isHeader == true { return copyField(name) }
        if let name, bytes[index] == UInt8(ascii: "["), let end = bytes[index...].firstIndex(of: UInt8(ascii: "]")),
            let list = Privacy.shown(string(index..<end + 1), of: name, to: .redactedCopy)
        {
            write(list)
            index = end + 1
            return
        }
        let end = bytes[index...].firstIndex { Self.isSign($0) && $0 != UInt8(ascii: ":") } ?? bytes.count
        let text = string(index..<end)
        guard end > index, known[index] == nil, urls[index] == nil, forms[index] == nil else { return }
        if Self.constants.contains(text) {
            write(text)
        } else if isNumber(text) {
            // As text, so that JSON stays JSON.
            let shown = name.flatMap { Privacy.shown(text, of: $0, to: .redactedCopy) }
            guard shown != nil || isQuoted else { return }
            write(shown ?? "\"\(placeholders.hide(text, as: "number"))\"")
        } else if let name, !CopyVocabulary.isText(name),
            isField && (end == bytes.count || CopyVocabulary.isSetting(name))
                || name.contains("_") && WireParameter.isListed(name)
        {
            write(value(text, of: name))
        } else {
            return
        }
        index = end
    }

    /// The rest of a line, or of a line in a literal.
    mutating func copyField(_ name: String) {
        var end = index
        let open = privates.openMarks(before: index)
        while end < bytes.count, bytes[end] != UInt8(ascii: "\r"), !open.contains(bytes[end]),
            !(bytes[end] == UInt8(ascii: "\\")
                && bytes[end...].dropFirst().first.map { "rn'".utf8.contains($0) } ?? true)
        {
            end += 1
        }
        guard end > index else { return }
        write(field(string(index..<end), of: name))
        index = end
    }

    mutating func field(_ text: String, of name: String) -> String {
        switch name.lowercased() {
        case "host":
            let host = text.prefix { $0 != ":" }
            return placeholders.host(host.lowercased())
                + text.dropFirst(host.count).filter { ":0123456789".contains($0) }
        case "content-type": return placeholders.text(Array(text.utf8))
        default: return placeholders.value(text, ofHeader: name) ?? placeholders.text(Array(text.utf8))
        }
    }
}
