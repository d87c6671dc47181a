import MSAL

/// Elements of XML.
extension LineCopy {
    /// An element with its attributes and the text after it.
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
        guard CopyVocabulary.hasElement(name) else { return false }
        write(string(index..<end))
        index = end
        while index < bytes.count, bytes[index] != UInt8(ascii: ">"), !Task.isCancelled {
            step()
        }
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
