import JSON

/// From `Resources/causes.json`: what a failing sentence is about, and what is wrong. Each pair is a cell, which a row explains.
struct Vocabulary: Sendable {
    enum Meaning: Hashable, Sendable {
        /// The place in the file: the earlier is the more specific.
        case subject(Int)
        /// - Parameter isWeak: whether the word says so only close to its subject.
        case predicate(String, isWeak: Bool)
        case success
        /// Words that mean something else.
        case nothing
        case context

        /// One for all terms of its kind.
        fileprivate var kind: Meaning {
            switch self {
            case .subject: .subject(0)
            case .predicate: .predicate("", isWeak: false)
            case .success, .nothing, .context: self
            }
        }
    }

    struct Cell: Hashable, Sendable {
        let subject: String
        let predicate: String
    }

    struct Match {
        let meaning: Meaning
        let words: Range<Int>
    }

    private struct Term: Sendable {
        let words: [(text: String, isStem: Bool)]
        let meaning: Meaning
    }

    private var terms: [String: [Term]] = [:]
    /// Texts that a line with a failing word, or one of a success, contains.
    private(set) var triggers: [String] = []
    /// Texts that a line with a word of a sign-in contains.
    private(set) var contextTriggers: [String] = []
    private(set) var subjects: [String] = []
    /// The subjects that other programs also name, so that only words of a sign-in nearby make them one of it.
    private(set) var general: Set<String> = []

    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        for subject in try json.required("subjects", \.array) {
            let name = try subject.required("name", \.string)
            if subject["general"]?.bool == true { general.insert(name) }
            add(try subject.required("words", \.strings), .subject(subjects.count))
            subjects.append(name)
        }
        for (name, words) in try json.required("predicates", \.object) {
            for word in words.strings ?? [] {
                add([word.trimmingSuffix("?")], .predicate(name, isWeak: word.hasSuffix("?")))
            }
        }
        add(try json.required("success", \.strings), .success)
        add(try json.required("nothing", \.strings), .nothing)
        add(try json.required("context", \.strings), .context)
        let all = terms.values.flatMap(\.self)
        triggers =
            Self.marks + Self.triggers(all.filter { ![.subject(0), .nothing, .context].contains($0.meaning.kind) })
        contextTriggers = Self.triggers(all.filter { $0.meaning == .context })
    }

    /// What a line of a failure has, if none of its words are known.
    private static let marks = ["rror", "ERROR", "xception", "atal", "FATAL"]

    /// The longest word of each term, in the letter cases of sentences and identifiers.
    private static func triggers(_ terms: [Term]) -> [String] {
        let words = Set(
            terms.compactMap { term in
                term.words.map(\.text).filter { !between.contains($0) && $0 != "not" }.max { $0.count < $1.count }
            }.filter { $0.count > 1 })
        let shortest = words.filter { word in !words.contains { $0 != word && word.contains($0) } }
        return spellings(of: shortest.sorted())
    }

    static func spellings(of words: [String]) -> [String] {
        words.flatMap { [$0, $0.prefix(1).uppercased() + $0.dropFirst(), $0.uppercased()] }
    }

    private mutating func add(_ texts: [String], _ meaning: Meaning) {
        for text in texts {
            let words = text.split(separator: " ").map { word in
                (text: String(word).trimmingSuffix("*"), isStem: word.hasSuffix("*"))
            }
            if let first = words.first { terms[first.text, default: []].append(Term(words: words, meaning: meaning)) }
        }
    }

    private static let between = words("between")

    /// The terms of a sentence. Of two at one place the longer counts, and that of each kind.
    func matches(in sentence: Sentence) -> [Match] {
        let words = sentence.words
        var found: [Match] = []
        for index in words.indices {
            let text = words[index].text
            let candidates = (1...min(max(1, text.count), 24)).flatMap { terms[String(text.prefix($0))] ?? [] }
            var best: [Meaning: Match] = [:]
            for term in candidates {
                guard let end = end(of: term, at: index, in: words) else { continue }
                let kind = term.meaning.kind
                if best[kind].map({ end > $0.words.upperBound }) ?? true {
                    best[kind] = Match(meaning: term.meaning, words: index..<end)
                }
            }
            found += best.values
        }
        let other = found.filter { $0.meaning == .nothing }.map(\.words)
        return found.filter { match in
            match.meaning != .nothing && !other.contains { $0.overlaps(match.words) && $0.count >= match.words.count }
                && !found.contains {
                    $0.meaning.kind == match.meaning.kind && $0.words != match.words
                        && $0.words.lowerBound <= match.words.lowerBound
                        && match.words.upperBound <= $0.words.upperBound
                }
        }
    }

    private func end(of term: Term, at start: Int, in words: [Sentence.Word]) -> Int? {
        var place = start
        for (number, word) in term.words.enumerated() {
            if number > 0 {
                while place < words.count, Self.between.contains(words[place].text) || words[place].isValue,
                    words[place].text != word.text
                {
                    place += 1
                }
            }
            guard place < words.count, number == 0 || !words[place].startsPart,
                word.isStem ? words[place].text.hasPrefix(word.text) : words[place].text == word.text
            else { return nil }
            place += 1
        }
        return place
    }

    /// Whether a word of denial makes a failing word its opposite, as in `not expired` or `no error`.
    static func isDenied(_ match: Match, in sentence: Sentence) -> Bool {
        var place = match.words.lowerBound - 1
        if denials.contains(sentence.words[match.words.lowerBound].text) { return false }
        while place >= 0, between.contains(sentence.words[place].text) { place -= 1 }
        return place >= 0 && denials.contains(sentence.words[place].text)
            && !sentence.words[match.words.lowerBound].startsPart
    }

    private static let denials = words("denials")

    static func words(_ list: String) -> Set<String> { Set(KnownCause.particles[list]?.strings ?? []) }

    static let empty = Vocabulary()

    private init() {}
}
