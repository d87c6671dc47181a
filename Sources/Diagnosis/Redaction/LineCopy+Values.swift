import Foundation
import MSAL
import OAuthCore

extension LineCopy {
    mutating func copyPair() -> Bool {
        guard bytes[index].isWordCharacter, let name = privates.names[index] ?? WrittenName(restAt: index, in: bytes),
            name.isQuoted || name.mark.isEmpty, name.sign == .member || name.sign == .equals
        else { return false }
        let (isMember, value) = (name.sign == .member, name.value)
        let isParameter = !isMember && index > 0 && "?&".utf8.contains(bytes[index - 1])
        let isName = placeholders.isNameOfProtocol(name.text)
        guard isName || name.isQuoted && isMember || isParameter else { return false }
        // A longer text of the rules begins like it.
        guard known[index] ?? 0 <= value, forms[index] == nil else { return false }
        let shown = isName ? name.text : placeholders.hide(name.text, as: "name")
        flush()
        isField = Self.isField(text)
        write(shown + string(name.range.upperBound..<value))
        word = name.text
        index = value
        copyValue(of: isName ? name.text : nil, isMember: isMember, isQuoted: name.isQuoted)
        return true
    }

    /// Whether only marks of a list or of a tool precede, so that the rest of the line is the value.
    static func isField(_ before: String) -> Bool {
        ["\\n", "header: "].contains { before.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
            || before.utf8.allSatisfy { " \t<>-*{".utf8.contains($0) }
    }

    /// Unless its words say more than its name, which is `nil` if it's hidden.
    mutating func copyValue(of name: String?, isMember: Bool, isQuoted: Bool) {
        guard index < bytes.count, !copyPrivateValue() else { return }
        if let (start, end, after) = PrivateValues.quoted(bytes, at: index) {
            let inner = string(start..<end).replacing("\\/", with: "/").replacing("\\u0026", with: "&")
            write(string(index..<start) + value(inner, of: name) + string(end..<after))
            index = after
            return
        }
        if isMember, let name {
            if !isQuoted, isField, WireParameter.named(name)?.isHeader == true { return copyField(name) }
            if bytes[index] == UInt8(ascii: "["), let end = bytes[index...].firstIndex(of: UInt8(ascii: "]")),
                let list = Privacy.shown(string(index..<end + 1), of: name, to: .redactedCopy)
            {
                write(list)
                index = end + 1
                return
            }
        }
        let end = bytes[index...].firstIndex { Self.isSign($0) && $0 != UInt8(ascii: ":") } ?? bytes.count
        guard end > index, isMember ? !isKnown(index) : known[index] ?? 0 < end,
            let shown = shown(valueIn: index..<end, of: name, isMember: isMember, isQuoted: isQuoted)
        else { return }
        write(shown)
        index = end
    }

    private func isKnown(_ index: Int) -> Bool { known[index] != nil || urls[index] != nil || forms[index] != nil }

    /// A value without quotation marks, of a form or of a member of JSON or YAML; `nil` if it's read as words.
    private mutating func shown(
        valueIn range: Range<Int>, of name: String?, isMember: Bool, isQuoted: Bool
    ) -> String? {
        let text = string(range)
        if range.count <= 5, Self.constants.contains(text) { return text }
        if !isMember {
            let isStatus =
                range.count == 3 && isNumber(text) && CopyVocabulary.beforeNumbers.contains((name ?? "").lowercased())
            return isStatus ? text : parameter(text, of: name)
        }
        if isNumber(text) {
            // As text, so that JSON stays JSON.
            return name.flatMap { Privacy.shown(text, of: $0, to: .redactedCopy) }
                ?? (isQuoted ? "\"\(placeholders.hide(text, as: "number"))\"" : nil)
        }
        guard let name, !CopyVocabulary.isText(name),
            isField && (range.upperBound == bytes.count || CopyVocabulary.isSetting(name))
                || name.contains("_") && WireParameter.isListed(name)
        else { return nil }
        return value(text, of: name)
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
            let port = text.dropFirst(host.count).prefix { ":0123456789".contains($0) }
            return placeholders.host(host.lowercased()) + port.prefix(6)
        case "content-type": return placeholders.text(Array(text.utf8))
        default: return placeholders.value(text, ofHeader: name) ?? placeholders.text(Array(text.utf8))
        }
    }

    mutating func copyElement() -> Bool {
        guard bytes[index] == UInt8(ascii: "<") else { return false }
        if let declaration = Self.declarations.first(where: { bytes[index...].starts(with: $0.start) }) {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
            write(declaration.written)
            index = end
            return true
        }
        let slash = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/") ? 1 : 0
        var end = index + 1 + slash
        while end < bytes.count, bytes[end].isWordCharacter || "-:".utf8.contains(bytes[end]) { end += 1 }
        let name = string(index + 1 + slash..<end)
        guard CopyVocabulary.elements.contains(name.split(separator: ":").last.map(String.init) ?? name) else {
            return false
        }
        write(string(index..<end))
        index = end
        while index < bytes.count, bytes[index] != UInt8(ascii: ">"), !Task.isCancelled { step() }
        guard index < bytes.count else { return true }
        write(">")
        index += 1
        if slash == 0 { copyContent(isKey: name == "key") }
        return true
    }

    mutating func copyContent(isKey: Bool) {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let content = string(index..<end)
        guard !content.allSatisfy(\.isWhitespace) else { return }
        let isShown = isKey && CopyVocabulary.keys.contains(content)
        write(isShown ? content : isKey ? placeholders.hide(content, as: "name") : placeholders.setting(content))
        index = end
    }

    static let declarations: [(start: [UInt8], written: String)] = [
        (Array("<?xml ".utf8), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"),
        (
            Array("<!DOCTYPE plist".utf8),
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        ),
    ]
}
