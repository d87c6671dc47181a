import Foundation

/// Undoes what mail programs and terminals do to a text, before anything reads or copies it. Lines keep their numbers.
enum TransferForm {
    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count <= mostBytes else { return bytes }
        let text = mail(bytes)
        let box = Array("\u{2502}".utf8)
        let lines = text.split(separator: newline, omittingEmptySubsequences: false)
        if lines.count(where: { $0.drop { $0 == space }.starts(with: box) }) > 1 { return boxed(lines, box) }
        return quoted(lines) ?? text
    }

    /// A longer text is a log, which no mail program has changed.
    private static let mostBytes = 4 << 20
    private static let (newline, space, equals) = (UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "="))

    /// Each part of a mail as its own header says (RFC 2045 §6): a recording that only mentions such a header is none.
    private static func mail(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
        var parts: [(encoding: String?, lines: [ArraySlice<UInt8>])] = [(nil, [])]
        for (index, line) in lines.enumerated() {
            let name = "content-transfer-encoding:"
            if let header = header(line), header.hasPrefix(name) {
                parts.append((header.dropFirst(name.count).trimmingCharacters(in: .whitespacesAndNewlines), []))
            } else if line.starts(with: Array("--".utf8)), index + 1 < lines.count, header(lines[index + 1]) != nil {
                parts.append((nil, []))
            }
            parts[parts.count - 1].lines.append(line)
        }
        let texts = parts.filter { !$0.lines.isEmpty }.map { part in
            let text = Array(part.lines.joined(separator: [newline]))
            return part.encoding == "quoted-printable"
                ? quotedPrintable(text) : part.encoding == "base64" ? base64(text) : text
        }
        return Array(texts.joined(separator: [newline]))
    }

    private static func header(_ line: ArraySlice<UInt8>) -> String? {
        guard line.first.map({ $0 | 0x20 }) == UInt8(ascii: "c") else { return nil }
        let text = String(decoding: line.prefix(60), as: UTF8.self).lowercased()
        return text.hasPrefix("content-") ? text : nil
    }

    /// RFC 2045 §6.7. The breaks that it removes follow the line.
    private static func quotedPrintable(_ bytes: [UInt8]) -> [UInt8] {
        var (text, index, removed): ([UInt8], Int, Int) = ([], 0, 0)
        while index < bytes.count {
            let rest = bytes[(index + 1)...].prefix(2)
            if bytes[index] == equals, rest.first == newline || rest.elementsEqual([13, newline]) {
                removed += 1
                index += rest.first == newline ? 2 : 3
            } else if bytes[index] == equals, rest.count == 2,
                let value = UInt8(String(decoding: rest, as: UTF8.self), radix: 16)
            {
                text.append(value)
                index += 3
            } else {
                text.append(bytes[index])
                if bytes[index] == newline {
                    text += Array(repeating: newline, count: removed)
                    removed = 0
                }
                index += 1
            }
        }
        return text
    }

    /// RFC 2045 §6.8: the blocks of whole lines that decode to a text.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let paragraphs = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").split(
            separator: "\n\n", omittingEmptySubsequences: false)
        let decoded = paragraphs.map { paragraph -> String in
            // The last boundary stands below the last block.
            let whole = paragraph.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined()
            guard whole.count > 15, let data = Data(base64Encoded: whole),
                let text = String(validating: data, as: UTF8.self)
            else { return String(paragraph) }
            return text
        }
        return Array(decoded.joined(separator: "\n\n").utf8)
    }

    /// A line that fills the frame goes on in the next.
    private static func boxed(_ lines: [ArraySlice<UInt8>], _ box: [UInt8]) -> [UInt8] {
        var (text, removed): ([UInt8], Int) = ([], 0)
        // Programs wrap at one or two columns less than the longest line.
        let open = (lines.compactMap { inside($0, box)?.text.count }.max() ?? 0) - 2
        for (number, line) in lines.enumerated() {
            let content = inside(line, box)
            let next = number + 1 < lines.count ? inside(lines[number + 1], box) : nil
            text += content?.text ?? Array(line)
            guard number + 1 < lines.count else { break }
            let first = next?.text.prefix { $0 != space }.count ?? 0
            if let content, first > 0, content.text.count + 1 + first > content.width ?? open {
                text.append(space)
                removed += 1
            } else {
                text += Array(repeating: newline, count: removed + 1)
                removed = 0
            }
        }
        return text
    }

    /// The width is `nil` in a frame without a right side.
    private static func inside(_ line: ArraySlice<UInt8>, _ box: [UInt8]) -> (text: [UInt8], width: Int?)? {
        let line = line.drop { $0 == space }
        guard line.starts(with: box) else { return nil }
        var content = line.dropFirst(box.count)
        while content.last == space || content.last == 13 { content.removeLast() }
        let isClosed = content.suffix(box.count).elementsEqual(box)
        if isClosed { content.removeLast(box.count) }
        let width = isClosed ? content.count - 2 : nil
        while content.last == space { content.removeLast() }
        return (Array(content.drop { $0 == space }), width)
    }

    /// Removes the marks of a quoted mail; `nil` if there are none. The mark is also curl's for a request.
    private static func quoted(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
        let mark = UInt8(ascii: ">")
        let marked = lines.filter { $0.first == mark }
        let isCurl = lines.contains { $0.starts(with: Array("< ".utf8)) || $0.starts(with: Array("* ".utf8)) }
        guard marked.count > 1, !isCurl,
            !marked.contains(where: { String(decoding: $0, as: UTF8.self).wholeMatch(of: request.regex) != nil })
                || marked.contains(where: { $0.starts(with: Array("> HTTP/".utf8)) })
        else { return nil }
        return Array(lines.map { line in line.drop { $0 == mark } }.joined(separator: [newline]))
    }

    private static let request = Pattern(#/> [A-Z]{3,7} \S+ HTTP\/[0-9.]+\s*/#)
}
