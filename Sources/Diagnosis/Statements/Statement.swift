import Foundation

/// Whatever program wrote it.
struct Statement: Sendable, Equatable {
    let row: KnownCause
    let line: Int
    /// Not safe to print.
    let text: String

    /// What a sentence alone states; `nil` for one that says what failed in no known words.
    static func row(in text: String) -> KnownCause? { Reading(Array(text.utf8))?.row }

    static func knows(_ word: String) -> Bool {
        let sentence = Sentence(Array(word.utf8))
        let known = Set(KnownCause.vocabulary.matches(in: sentence).flatMap(\.words))
        return !sentence.words.isEmpty && known.count == sentence.words.count
    }

    /// Whether a word changes what a sentence states, which a copy keeps.
    static func isParticle(_ word: String) -> Bool { Reading.particles.contains(word) }

    static func essence(of line: [UInt8]) -> String? {
        guard let reading = Reading(line), reading.row != nil else { return nil }
        return reading.stating.map { String(decoding: line[$0], as: UTF8.self) }.joined(separator: " ")
    }

    /// A copy keeps them.
    static func words(in line: [UInt8]) -> [Range<Int>] {
        guard let reading = Reading(line), reading.row != nil else { return [] }
        return reading.terms
    }
}

private struct Reading {
    private(set) var row: KnownCause?
    /// Whether only words that other programs also write name the subject.
    private(set) var isGeneral = false
    private(set) var isSuccess = false
    private(set) var isOfSignIn = false
    /// Whether it says that something is wrong, of whatever.
    private(set) var isFailure = false
    /// Whether the words are those of an identifier, such as `invalid_client_credentials`: the name of an error, not a description.
    private(set) var isName = false
    private(set) var isAtStart = false
    /// The bytes of the words, and of those that state the cause.
    private(set) var terms: [Range<Int>] = []
    private(set) var stating: [Range<Int>] = []

    /// The most words between what a sentence is about and what is wrong with it.
    private static let (reach, weakReach) = (8, 2)
    private static let nearInList = 3
    /// Of a sentence. Each pair of its words is compared.
    private static let mostBytes = 4096

    /// `nil` if the line is no sentence of a program at run time.
    init?(_ text: [UInt8]) {
        let line = Array(text.prefix(Self.mostBytes))
        let vocabulary = KnownCause.vocabulary
        let sentence = Sentence(line)
        let matches = vocabulary.matches(in: sentence)
        isOfSignIn = matches.contains { $0.meaning == .context }
        isFailure = matches.contains {
            if case .predicate(_, isWeak: false) = $0.meaning { !Vocabulary.isDenied($0, in: sentence) } else { false }
        }
        var best: (rank: (Int, Int, Int, Int, Int), row: KnownCause, words: Set<Int>)?
        for subject in matches {
            guard case .subject(let order) = subject.meaning else { continue }
            for predicate in matches {
                guard case .predicate(let name, let isWeak) = predicate.meaning,
                    let row = KnownCause.cells[.init(subject: vocabulary.subjects[order], predicate: name)],
                    let distance = Self.distance(subject.words, predicate.words, in: sentence),
                    distance <= (isWeak ? Self.weakReach : Self.reach),
                    !sentence.words[predicate.words.lowerBound].isInURL,
                    !sentence.words[subject.words.lowerBound].isInURL, !Vocabulary.isDenied(predicate, in: sentence),
                    !Self.isAdvice(predicate.words.lowerBound, in: sentence)
                else { continue }
                let isGeneral = vocabulary.general.contains(vocabulary.subjects[order])
                let isVerdict = Self.isVerdict(predicate.words, before: subject.words, in: sentence, line)
                let rank = (isGeneral ? 1 : 0, isWeak ? 1 : 0, isVerdict ? 1 : 0, distance, order)
                if best.map({ rank < $0.rank }) ?? true {
                    best = (rank, row, Set(subject.words).union(predicate.words))
                }
            }
        }
        if let place = best?.words.min(), Self.isDefinition(around: place, matches, in: sentence) { best = nil }
        row = best?.row
        isGeneral = best?.rank.0 == 1
        stating = (best?.words ?? []).sorted().map { sentence.words[$0].range }
        if let first = stating.first, let last = stating.last {
            let text = line[first.lowerBound..<last.upperBound]
            isName = text.contains(UInt8(ascii: "_")) && text.allSatisfy(\.isWordCharacter)
        }
        isAtStart = best.flatMap { $0.words.min() }.map { $0 < 3 } ?? false
        isSuccess = row == nil && matches.contains { $0.meaning == .success && !Self.isOpen($0, matches, sentence) }
        terms = matches.filter { $0.meaning != .context && $0.meaning != .success }.flatMap { match in
            match.words.map { sentence.words[$0].range }
        }
    }

    /// The number of words between; `nil` if another sentence, member or parameter begins there.
    private static func distance(_ one: Range<Int>, _ other: Range<Int>, in sentence: Sentence) -> Int? {
        let (first, second) = one.lowerBound <= other.lowerBound ? (one, other) : (other, one)
        let between = sentence.words[first.upperBound..<max(first.upperBound, second.lowerBound)].filter {
            !$0.isInURL && !$0.isValue
        }
        let last = max(first.upperBound, min(second.lowerBound + 1, sentence.words.count))
        return sentence.words[first.upperBound..<last].contains(where: \.startsPart) ? nil : between.count
    }

    /// Whether the subject is in the predicate's reason, after a colon: "Request rejected: secret is missing".
    private static func isVerdict(
        _ predicate: Range<Int>, before subject: Range<Int>, in sentence: Sentence, _ line: [UInt8]
    ) -> Bool {
        let end = sentence.words[predicate.upperBound - 1].range.upperBound
        let start = sentence.words[subject.lowerBound].range.lowerBound
        return end < start && line[end..<start].contains(UInt8(ascii: ":"))
    }

    /// Whether the part around a word lists what can be wrong, as the definition of an error's name does.
    private static func isDefinition(around place: Int, _ matches: [Vocabulary.Match], in sentence: Sentence) -> Bool {
        let start = sentence.words[...place].lastIndex(where: \.startsPart) ?? 0
        let end = sentence.words[(place + 1)...].firstIndex(where: \.startsPart) ?? sentence.words.endIndex
        let isList = (start..<end).contains { place in
            sentence.words[place].text == "or" && !matches.contains { $0.words.contains(place) }
        }
        var (names, last): (Set<String>, Int) = ([], start)
        for match in matches.sorted(by: { $0.words.lowerBound < $1.words.lowerBound }) where isList && names.count < 3 {
            guard case .predicate(let name, isWeak: false) = match.meaning,
                (start..<end).contains(match.words.lowerBound), !sentence.words[match.words.lowerBound].isInURL
            else { continue }
            if match.words.lowerBound > last + nearInList { names = [] }
            (names, last) = (names.union([name]), match.words.upperBound)
        }
        guard names.count > 2 else { return false }
        let subjects = Set(
            matches.compactMap { match in
                if case .subject(let order) = match.meaning, (start..<end).contains(match.words.lowerBound) {
                    order
                } else {
                    nil
                }
            })
        // "A missing, invalid or mismatching redirection URI" is about one value, whatever is wrong with it.
        guard let only = subjects.first, subjects.count == 1 else { return true }
        return KnownCause.vocabulary.general.contains(KnownCause.vocabulary.subjects[only])
    }

    /// Whether the part around a word says what to do, or when.
    private static func isAdvice(_ place: Int, in sentence: Sentence) -> Bool {
        let start = sentence.words[...place].lastIndex(where: \.startsPart) ?? 0
        return sentence.words[start...place].prefix(2).contains { advising.contains($0.text) }
            || sentence.words[max(start, place - 3)..<place].contains { guessing.contains($0.text) }
    }

    private static let advising = Vocabulary.words("advising")
    private static let guessing = Vocabulary.words("guessing")

    static let particles = advising.union(guessing).union(opening).union(["or"])

    /// Whether a sentence about a success denies it, or says that it's still to come.
    private static func isOpen(_ match: Vocabulary.Match, _ matches: [Vocabulary.Match], _ sentence: Sentence) -> Bool {
        let before = sentence.words[max(0, match.words.lowerBound - 4)..<match.words.lowerBound]
        let after = sentence.words[match.words.upperBound...].prefix(3)
        return before.contains { opening.contains($0.text) }
            || after.contains { ["false", "no", "0"].contains($0.text) }
            || matches.contains { if case .predicate(_, isWeak: false) = $0.meaning { true } else { false } }
    }

    private static let opening = Vocabulary.words("opening")
}

extension Statement {
    /// Finds the sentence that ended a sign-in in the lines of a text, while it is scanned.
    struct Finder {
        /// The ranges of lines with a failing word, or one of a success.
        private var lines: [(number: Int, range: Range<Int>)] = []
        private var last = 0
        /// A long log repeats itself: its first and its last lines count.
        private static let (mostFirst, mostLast) = (100, 400)
        private static let mostOfLine = 1024
        /// In lines: how near to a sentence the words of a sign-in stand.
        private static let nearby = 30
        /// A text with more lines isn't an error alone.
        static let mostOfError = 3
        private static let mostOfResponse = 4096

        mutating func note(_ range: Range<Int>, _ line: Int, in bytes: [UInt8]) {
            if line == last, lines.last.map({ $0.range.upperBound >= range.upperBound }) ?? false { return }
            last = line
            if lines.count >= Self.mostFirst + 2 * Self.mostLast {
                lines.removeSubrange(Self.mostFirst..<Self.mostFirst + Self.mostLast)
            }
            lines.append((line, Self.around(range, in: bytes)))
        }

        /// The line around a word, and the next one if the sentence goes on there.
        private static func around(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
            let newline = UInt8(ascii: "\n")
            let first = max(0, range.lowerBound - mostOfLine)
            let start = bytes[first..<range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? first
            let most = min(bytes.count, range.upperBound + mostOfLine)
            var end = bytes[range.upperBound..<most].firstIndex(of: newline) ?? most
            if end - start >= shortestWrapped, end + 1 < bytes.count, bytes[end] == newline,
                end - start <= longestWrapped, bytes[end - 1].isASCIILetter || bytes[end - 1] == UInt8(ascii: " "),
                (97...122).contains(bytes[end + 1]),
                bytes[(end + 1)...].prefix(20).first(where: { !$0.isASCIILetter }).map({ " .,)".utf8.contains($0) })
                    == true
            {
                let most = min(bytes.count, end + 1 + mostOfLine)
                end = bytes[(end + 1)..<most].firstIndex(of: newline) ?? most
            }
            return start..<end
        }

        /// The narrowest width at which mail programs and terminals wrap a line.
        private static let (shortestWrapped, longestWrapped) = (60, 100)

        func found(in bytes: [UInt8], lineCount: Int, context: [Int]) -> Found {
            var best: (rank: (Int, Int, Int), statement: Statement)?
            var found = Found()
            let isAlone = lineCount <= Self.mostOfError || bytes.count(where: { $0 == UInt8(ascii: "\n") }) == 0
            let isResponse = bytes.count <= Self.mostOfResponse && bytes.starts(with: "{".utf8)
            // The names of a document's members say nothing of a failure.
            let isData = ["{", "<", "[{", "[\"", "[["].contains { bytes.starts(with: $0.utf8) }
            for (number, range) in lines where !Task.isCancelled {
                let line = Array(bytes[range])
                let isMarked = TextLine.isMarked(line)
                if TextLine.isForeign(line) {
                    found.isForeign = found.isForeign || isMarked
                    continue
                }
                guard !TextLine.isWritten(line), let reading = Reading(line) else { continue }
                let isNear = reading.isOfSignIn || isAlone || isResponse || Self.hasLine(near: number, in: context)
                if reading.isSuccess, isNear { found.success = number }
                guard let row = reading.row, isNear, isAlone || isMarked || reading.isAtStart && !reading.isGeneral
                else {
                    if isMarked || isAlone && reading.isFailure && !isData, isNear, reading.isOfSignIn || !isAlone {
                        found.unknown = (number, Sentence.quoted(line))
                    }
                    continue
                }
                // A program's telemetry has no response, either.
                let rank = (reading.isGeneral ? 2 : row.id == "no-response" ? 1 : 0, reading.isName ? 1 : 0, -number)
                let statement = Statement(row: row, line: number, text: String(decoding: line, as: UTF8.self))
                if best.map({ rank < $0.rank || row == $0.statement.row }) ?? true {
                    best = (best.map { rank < $0.rank ? rank : $0.rank } ?? rank, statement)
                }
            }
            found.statement = best?.statement
            return found
        }

        struct Found: Sendable {
            var statement: Statement?
            var success: Int?
            /// The last failing sentence near words of a sign-in that no row explains, without its values.
            var unknown: (line: Int, text: String)?
            var isForeign = false
        }

        private static func hasLine(near line: Int, in sorted: [Int]) -> Bool {
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = (low + high) / 2
                if sorted[middle] < line - nearby { low = middle + 1 } else { high = middle }
            }
            return low < sorted.count && sorted[low] <= line + nearby
        }
    }
}

enum TextLine {
    /// Of another service than one that signs in: at its port, or in words of its own and none of the protocol's, but for names.
    static func isForeign(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        if FailedConnections.isOfService(text) { return true }
        guard KnownCause.foreign.contains(where: text.contains) else { return false }
        let words = text.replacing(name.regex, with: "")
        return !words.contains(tokens.regex) && !KnownCause.protocolWords.contains(where: words.contains)
    }

    private static let name = Pattern(#/\w+(?:\.[\w$]+){2,}/#)
    private static let tokens = Pattern(#/(?i)\btokens?\b/#)

    static func isWritten(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        return isCode(text) || text.hasSuffix("?") || text.prefixMatch(of: documentation.regex) != nil
    }

    static func isCode(_ text: String) -> Bool {
        let text = text.trimmingCharacters(in: .whitespaces)
        return text.hasSuffix(";") || text.contains("=> ") || text.contains(" === ")
            || text.hasPrefix("|") && text.hasSuffix("|") || text.prefixMatch(of: code.regex) != nil
    }

    private static let code = Pattern(
        #/(?:if|throw|return|case|const|let|var|public|private|static|import|export|func|def|class|catch|assert|raise|enum|switch|else|try)\b[ ({:]|\/\/|\/\*|[A-Za-z_]+ = ["'`][^"'`]*["'`],?$|["'][a-z_]+["'],$|at [\w.$\/<>]+[ (]|File "/#
    )

    private static let documentation = Pattern(#/#+ |\[!|[-*] `/#)

    static func isMarked(_ line: [UInt8]) -> Bool {
        String(decoding: line, as: UTF8.self).replacing("no error", with: "").contains(mark.regex)
    }

    private static let mark = Pattern(
        #/(?i)error|exception|refused|timed out|mismatch|wrong|impossible|invalid\b|\[E\]|\bfail|fatal|\bwarn|caused by|denied|reject|unable|can(?:no|')t|panic|(?:^|[^0-9. ]) ?[45][0-9]{2}\b(?!\.)|http\/[0-9.]+"? [45]|(?-i:(?:^|\s)E[ \/])/#
    )
}
