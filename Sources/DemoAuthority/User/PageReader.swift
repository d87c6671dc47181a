import Foundation

package struct PageReader: Sendable, Equatable {
    package struct Input: Sendable, Equatable {
        package var type: String
        package var name: String
        package var value: String

        package init(type: String, name: String, value: String) {
            (self.type, self.name, self.value) = (type, name, value)
        }
    }

    package struct Form: Sendable, Equatable {
        package var action: String
        package var method: String
        /// The inputs to submit, without disabled ones and unticked boxes.
        package var inputs: [Input]

        package init(action: String, method: String, inputs: [Input] = []) {
            (self.action, self.method, self.inputs) = (action, method, inputs)
        }

        var submits: [Input] { inputs.filter { $0.type == "submit" } }

        func first(ofType types: String...) -> Input? { inputs.first { types.contains($0.type) } }
    }

    /// A visible field, with its label but not the label's explanation.
    package struct Field: Sendable, Equatable {
        package var type: String
        package var name: String
        package var value: String
        package var label: String
        package var isTicked = false
    }

    package private(set) var title = ""
    /// The text of the element with `role=alert`.
    package private(set) var alert = ""
    package private(set) var forms: [Form] = []
    /// The text outside headings, labels and asides, by paragraph.
    package private(set) var text: [String] = []
    package private(set) var fields: [Field] = []

    package init(title: String, alert: String, forms: [Form]) {
        (self.title, self.alert, self.forms) = (title, alert, forms)
    }

    package init(_ markup: String) {
        var titleIsOpen = false
        var alertTag: String?
        var prose = Prose()
        for piece in MarkupScanner.pieces(of: markup) {
            switch piece {
            case .text(let text):
                if titleIsOpen { title += text }
                if alertTag != nil { alert += text } else { prose.add(text) }
            case .close(let name):
                if name == "title" { titleIsOpen = false }
                if name == alertTag { alertTag = nil }
                prose.close(name)
            case .open(let name, let attributes):
                if name == "title", title.isEmpty { titleIsOpen = true }
                if attributes["role"] == "alert" { alertTag = name }
                prose.open(name, attributes)
                read(name, attributes)
            }
        }
        title = title.trimmingCharacters(in: .whitespacesAndNewlines)
        alert = alert.trimmingCharacters(in: .whitespacesAndNewlines)
        text = prose.paragraphs
        fields = prose.fields
    }

    /// The text of the page's main part, with the fields and their labels.
    private struct Prose {
        private(set) var paragraphs: [String] = []
        private var labels: [String: String] = [:]
        private var inputs: [(id: String, field: Field)] = []
        private var paragraph = ""
        private var label: String?
        private var isInside = false
        /// The open element whose text isn't shown.
        private var hidden: String?

        var fields: [Field] {
            inputs.map { id, field in
                var field = field
                field.label = Self.collapsed(labels[id] ?? field.name)
                return field
            }
        }

        mutating func add(_ text: String) {
            guard isInside, hidden == nil else { return }
            if let label { labels[label, default: ""] += text } else { paragraph += text }
        }

        mutating func open(_ name: String, _ attributes: [String: String]) {
            if name == "main" { isInside = true }
            if hidden == nil, name == "h1" || name == "section" || label != nil && name == "span" { hidden = name }
            if Self.blocks.contains(name) { flush() }
            if name == "label" { label = attributes["for"] }
            let type = attributes["type"]?.lowercased() ?? "text"
            guard name == "input", ["text", "email", "password", "checkbox"].contains(type) else { return }
            let field = Field(
                type: type, name: attributes["name"] ?? "", value: attributes["value"] ?? "", label: "",
                isTicked: attributes["checked"] != nil)
            inputs.append((attributes["id"] ?? "", field))
        }

        mutating func close(_ name: String) {
            if name == "main" { isInside = false }
            if name == hidden { hidden = nil }
            if name == "label" { label = nil }
            if Self.blocks.contains(name) { flush() }
        }

        private static let blocks: Set<String> = ["p", "li", "dt", "dd", "h2", "ul", "dl", "form", "main"]

        private mutating func flush() {
            let text = Self.collapsed(paragraph)
            if !text.isEmpty { paragraphs.append(text) }
            paragraph = ""
        }

        private static func collapsed(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    private mutating func read(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "form":
            forms.append(Form(action: attributes["action"] ?? "", method: (attributes["method"] ?? "get").lowercased()))
        case "input", "button":
            let type = (attributes["type"] ?? (name == "button" ? "submit" : "text")).lowercased()
            let isUnticked = (type == "checkbox" || type == "radio") && attributes["checked"] == nil
            guard !forms.isEmpty, attributes["disabled"] == nil, !isUnticked else { return }
            let input = Input(type: type, name: attributes["name"] ?? "", value: attributes["value"] ?? "")
            forms[forms.count - 1].inputs.append(input)
        default: break
        }
    }
}

/// Scans markup tag by tag, with enough HTML support for sign-in forms.
struct MarkupScanner {
    enum Piece: Equatable {
        /// A start tag, with names in lower case and character references resolved.
        case open(String, attributes: [String: String])
        case close(String)
        case text(String)
    }

    /// Not characters, because a combining mark after a quotation mark forms one character with it.
    private var rest: Substring.UnicodeScalarView

    init(_ markup: String) { rest = markup[...].unicodeScalars }

    static func pieces(of markup: String) -> [Piece] {
        var scanner = MarkupScanner(markup)
        var pieces: [Piece] = []
        while let piece = scanner.next() { pieces.append(piece) }
        return pieces
    }

    private mutating func next() -> Piece? {
        guard let first = rest.first else { return nil }
        guard first == "<" else { return .text(Self.resolved(readText { $0 != "<" })) }
        if rest.starts(with: "<!--".unicodeScalars) {
            rest = rest.firstRange(of: "-->".unicodeScalars).map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
            return .text("")
        }
        rest.removeFirst()
        let closes = rest.first == "/"
        if closes { rest.removeFirst() }
        let name = readText { !Self.isSpace($0) && $0 != ">" && $0 != "/" }.lowercased()
        let attributes = attributes()
        if rest.first == ">" { rest.removeFirst() }
        return closes ? .close(name) : .open(name, attributes: attributes)
    }

    private mutating func attributes() -> [String: String] {
        var found: [String: String] = [:]
        while true {
            _ = readText { Self.isSpace($0) || $0 == "/" }
            guard let next = rest.first, next != ">" else { return found }
            let name = readText { !Self.isSpace($0) && $0 != "=" && $0 != ">" && $0 != "/" }.lowercased()
            _ = readText(while: Self.isSpace)
            var value = ""
            if rest.first == "=" {
                rest.removeFirst()
                _ = readText(while: Self.isSpace)
                value = self.value()
            }
            if !name.isEmpty, found[name] == nil { found[name] = Self.resolved(value) }
        }
    }

    private mutating func value() -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            return readText { !Self.isSpace($0) && $0 != ">" }
        }
        rest.removeFirst()
        let value = readText { $0 != quote }
        rest = rest.dropFirst()
        return value
    }

    private mutating func readText(while condition: (Unicode.Scalar) -> Bool) -> String {
        let part = rest.prefix(while: condition)
        rest = rest[part.endIndex...]
        return String(part)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    private static let named: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// Resolves the character references that pages use for escaping.
    private static func resolved(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var out = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "&", let semicolon = rest.prefix(12).firstIndex(of: ";"),
                let meant = reference(String(rest[rest.index(after: rest.startIndex)..<semicolon]))
            {
                out += meant
                rest = rest[rest.index(after: semicolon)...]
            } else {
                out.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
        }
        return out
    }

    private static func reference(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
