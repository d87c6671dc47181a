import Foundation
import JSON

/// Where a log, or an error's text, contains texts and numbers that the rules know.
struct LogFile: Sendable {
    enum Mark: Hashable, Sendable, ExpressibleByStringLiteral {
        case text(String)
        /// Of `MSALError`, `NSError` or `OSStatus`, after a separator: the groups of a UUID look like negative numbers.
        case code(Int)
        case word(String)
        case version(String)

        init(stringLiteral text: String) { self = .text(text) }

        fileprivate var pattern: String {
            switch self {
            case .text(let text), .word(let text), .version(let text): text
            case .code(let code): "\(code)"
            }
        }

        fileprivate func isMarked(in bytes: [UInt8], at range: Range<Int>) -> Bool {
            let before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : nil
            let after = range.upperBound < bytes.count ? bytes[range.upperBound] : nil
            return switch self {
            case .text: true
            case .version: after?.isDigit ?? false
            case .code: before.map { " =(:[,\n\"'".utf8.contains($0) } ?? true && !(after?.isDigit ?? false)
            case .word: !(before?.isWordCharacter ?? false) && !(after?.isWordCharacter ?? false)
            }
        }
    }

    /// A number after `AADSTS` (a literal) or `AADB2C`, where it means something else, or in a response's list of codes.
    struct Code: Hashable, Sendable, ExpressibleByIntegerLiteral {
        var kind: ErrorDictionary.Kind
        var number: Int

        init(kind: ErrorDictionary.Kind, number: Int) { (self.kind, self.number) = (kind, number) }

        init(integerLiteral number: Int) { self.init(kind: .sts, number: number) }

        static func b2c(_ number: Int) -> Code { Code(kind: .b2c, number: number) }

        var text: String { kind.prefix + "\(number)" }
        var entry: ErrorDictionary.Entry? { ErrorDictionary.bundled.entry(kind, "\(number)") }
    }

    let writer: Writer?
    let lines: Int
    let isOfProtocol: Bool
    /// The codes with their last lines, last first.
    let codes: [(code: Code, line: Int)]
    let success: Int?
    let ownError: OwnError?
    let connections: FailedConnections
    /// Whether it's source code or documentation, which proves nothing.
    let isDocument: Bool
    let told: Statement.Finder.Found
    /// The failing sentence of another program than Keyturn, whose errors name their causes.
    var statement: Statement? { told.statement.flatMap { ownError?.lines.contains($0.line) == true ? nil : $0 } }
    private let found: [Mark: ClosedRange<Int>]

    init(_ content: [UInt8], hasOwnError: Bool = true) {
        isDocument = TextKind.isDocument(content)
        // Without the blank lines at its end.
        let last = content.lastIndex { $0 > 0x20 } ?? 0
        let end = content[last...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? content.count
        let bytes = isDocument ? [] : end < content.count ? Array(content[..<end]) : content
        var found: [Mark: ClosedRange<Int>] = [:]
        var codes: [Code: Int] = [:]
        var own = OwnError.Finder()
        var connections = FailedConnections()
        var finder = Statement.Finder()
        var code = (line: 0, isCode: false)
        // Source code has the names of errors that nobody got.
        func isCode(_ range: Range<Int>, _ line: Int) -> Bool {
            if code.line != line { code = (line, TextLine.isCode(Self.line(at: range, in: bytes))) }
            return code.isCode
        }
        var context: [Int] = []
        var isOfProtocol = false
        lines = Self.scanner.scan(bytes) { index, range, line in
            if index < Self.listed.count {
                let mark = Self.listed[index]
                guard mark.isMarked(in: bytes, at: range) else { return }
                if case .word = mark, isCode(range, line) { return }
                if OwnError.Finder.marks.contains(mark) { own.note(mark, at: range, line, in: bytes) }
                connections.note(mark, at: range, line, in: bytes)
                found[mark] = (found[mark]?.lowerBound ?? line)...line
            } else if index >= Self.firstProtocol {
                isOfProtocol = true
            } else if index >= Self.firstContext {
                if context.last != line { context.append(line) }
            } else if index >= Self.firstTrigger {
                finder.note(range, line, in: bytes)
            } else {
                let family = Self.families[index - Self.listed.count]
                for number in family.numbers(in: bytes[range.upperBound...].prefix(Self.mostOfList)) {
                    let code = Code(kind: family.kind, number: number)
                    if !family.onlyKnown || code.entry != nil { codes[code] = line }
                }
            }
        }
        (self.found, self.isOfProtocol, self.connections) = (found, isOfProtocol, connections)
        told = finder.found(in: bytes, lineCount: lines, context: context)
        success = (Self.successes.compactMap { found[$0]?.upperBound } + [told.success].compactMap(\.self)).max()
        ownError = hasOwnError ? own.error(in: bytes) : nil
        // A list of numbers names no family: that of the text beside it counts.
        self.codes = codes.filter { $0.key.kind == .b2c || codes[.b2c($0.key.number)] == nil }.map {
            (code: $0, line: $1)
        }.sorted { ($0.line, $0.code.number) > ($1.line, $1.code.number) }
        // The program whose mark comes first, and at the same line the more specific one.
        let writers = Writer.allCases.compactMap { writer in
            writer.marks.compactMap { found[$0]?.lowerBound }.min().map { (writer: writer, line: $0) }
        }
        writer = (writers.filter { $0.writer != .urllib3 }.min { $0.line < $1.line } ?? writers.first)?.writer
    }

    /// By the order of the marks.
    func first(_ marks: [Mark]) -> Int? { marks.lazy.compactMap { found[$0]?.lowerBound }.first }

    func last(_ mark: Mark) -> Int? { found[mark]?.upperBound }

    private static func line(at range: Range<Int>, in bytes: [UInt8]) -> String {
        let start = bytes[max(0, range.lowerBound - mostOfLine)..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n"))
        let first = start.map { $0 + 1 } ?? max(0, range.lowerBound - mostOfLine)
        let rest = bytes[first...].prefix(2 * mostOfLine).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: rest, as: UTF8.self)
    }

    /// In bytes.
    private static let (mostOfLine, mostOfList) = (1024, 120)

    private static let successes = KnownCause.successes.map(Mark.text)

    private static let listed = Array(
        Set(
            successes + Writer.allCases.flatMap(\.marks) + KnownCause.bundled.flatMap(\.marks) + ErrorText.marks
                + Platform.marks + OwnError.Finder.marks + FailedConnections.marks))

    /// The texts and codes of a line that the rules know. They come from this program, so that they can be shared.
    static func known(in line: [UInt8], andWords: Bool = false) -> [Range<Int>] {
        var known: [Range<Int>] = []
        var hasFailure = false
        _ = scanner.scan(line) { index, range, _ in
            if index >= firstTrigger {
                hasFailure = hasFailure || index < firstContext
            } else if index >= listed.count {
                let digits = line[range.upperBound...].prefix { $0.isDigit }
                if (4...8).contains(digits.count) { known.append(range.lowerBound..<digits.endIndex) }
            } else if listed[index].isMarked(in: line, at: range) {
                known.append(range)
            }
        }
        return hasFailure && andWords ? known + Statement.words(in: line) : known
    }

    private static let families = KnownCause.codes.compactMap(CodeFamily.init)

    private static let firstTrigger = listed.count + families.count
    private static let firstContext = firstTrigger + KnownCause.vocabulary.triggers.count
    private static let firstProtocol = firstContext + KnownCause.vocabulary.contextTriggers.count

    private static let scanner = TextScanner(
        listed.map(\.pattern) + families.map(\.prefix) + KnownCause.vocabulary.triggers
            + KnownCause.vocabulary.contextTriggers + KnownCause.protocolWords)
}

extension LogFile {
    /// The program that wrote the log. Those with more specific marks come first: the lines of .NET and Android contain Apple's.
    enum Writer: String, Sendable, CaseIterable {
        case keyturn = "keyturn", msalDotNet = "MSAL.NET", msalAndroid = "MSAL for Android", msalJavaScript = "MSAL.js"
        case appAuth = "AppAuth", adal = "ADAL", azureCLI = "Azure CLI", msalPython = "MSAL Python"
        case requestsOAuthlib = "requests-oauthlib", msalApple = "MSAL for iOS and macOS"
        case urllib3 = "urllib3"

        /// Text that only this program writes. A comma or blank follows MSAL's domain there, but not in the JSON errors of keyturn.
        fileprivate var marks: [Mark] { KnownCause.marks(of: rawValue) }
    }

    /// A text that error numbers follow.
    private struct CodeFamily {
        let prefix: String
        let kind: ErrorDictionary.Kind
        let isList: Bool
        /// Whether only numbers of the dictionary count: other programs number their errors, too.
        let onlyKnown: Bool

        init?(_ json: JSONValue) {
            guard let text = json["text"]?.string, let kind = json["kind"]?.string.flatMap(ErrorDictionary.Kind.init)
            else { return nil }
            (prefix, self.kind) = (text, kind)
            (isList, onlyKnown) = (json["isList"] == true, json["onlyKnown"] == true)
        }

        func numbers(in rest: ArraySlice<UInt8>) -> [Int] {
            guard isList else { return [Self.number(rest.prefix { $0.isDigit })].compactMap(\.self) }
            let start = rest.prefix(8).firstIndex(of: UInt8(ascii: "["))
            let list = start.map { rest[rest.index(after: $0)...].prefix { $0 != UInt8(ascii: "]") } } ?? []
            return list.split { !$0.isDigit }.compactMap(Self.number)
        }

        private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
            (4...8).contains(digits.count) ? Int(String(decoding: digits, as: UTF8.self)) : nil
        }
    }
}

extension UInt8 {
    var isWordCharacter: Bool { isDigit || isASCIILetter || self == UInt8(ascii: "_") }
}
