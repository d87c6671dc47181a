import CResources
import JSON

/// A cause that a text or a number states, from `Resources/causes.json`. A new one needs no code.
struct KnownCause: Sendable, Equatable {
    /// A stable name, for example `proxy-password`.
    let id: String
    /// One to three words.
    let subject: String
    let strength: CauseStrength
    /// What states the cause: any one of these texts, with the product that writes it.
    let phrases: [Phrase]
    /// Numbers of `MSALError`, `NSError` or `OSStatus`, any one of which states the cause.
    let numbers: [Int]
    /// What failing sentences say, in whatever words: any one of these.
    let cells: [Vocabulary.Cell]
    /// Further texts: the evidence must contain one of each list.
    let with: [[String]]
    let without: [String]
    let headline: String
    let fix: Advice
    /// If the words of the fix don't say so.
    let who: ErrorDictionary.Actor?
    /// Why it's only a guess.
    let basis: String?

    struct Phrase: Sendable, Equatable {
        let text: String
        /// `nil` if several products write it.
        let product: String?
    }

    /// An unknown one is a mistake.
    private static let members: Set<String> = [
        "id", "subject", "strength", "cells", "texts", "numbers", "with", "without", "cause", "fix", "who",
        "basis", "threads",
    ]

    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        guard let names = json.object?.keys, Self.members.isSuperset(of: names) else { throw .init() }
        id = try json.required("id", \.string)
        subject = try json.required("subject", \.string)
        strength = try json.required("strength") { $0.string.flatMap(CauseStrength.init(rawValue:)) }
        let texts = try json.optional("texts", \.object) ?? [:]
        phrases = texts.sorted { $0.key < $1.key }.flatMap { product, texts in
            (texts.strings ?? []).map { Phrase(text: $0, product: product == Self.anyProduct ? nil : product) }
        }
        numbers = try json.optional("numbers", \.integers) ?? []
        cells = (try json.optional("cells", \.object) ?? [:]).flatMap { subject, predicates in
            (predicates.strings ?? []).map { Vocabulary.Cell(subject: subject, predicate: $0) }
        }.sorted { ($0.subject, $0.predicate) < ($1.subject, $1.predicate) }
        with = try json.optional("with") { $0.array?.map { $0.strings ?? [] } } ?? []
        without = try json.optional("without", \.strings) ?? []
        headline = try json.required("cause", \.string)
        fix = try json.required("fix", Advice.init)
        who = try json.optional("who") { $0.string.flatMap(ErrorDictionary.Actor.init) }
        basis = try json.optional("basis", \.string)
        guard !(phrases.isEmpty && numbers.isEmpty && cells.isEmpty), (basis != nil) == (strength == .guessed) else {
            throw .init()
        }
    }

    private static let anyProduct = "any"

    var marks: [LogFile.Mark] { statements + (with.flatMap(\.self) + without).map(LogFile.Mark.text) }

    private var statements: [LogFile.Mark] {
        numbers.map(LogFile.Mark.code) + numbers.compactMap(Self.hexadecimal) + phrases.map { .text($0.text) }
    }

    /// The other form of a number of Windows.
    private static func hexadecimal(_ number: Int) -> LogFile.Mark? {
        number < -0xFFFF ? .text(String(UInt32(truncatingIfNeeded: number), radix: 16)) : nil
    }

    func line(in log: LogFile) -> Int? { log.first(statements).flatMap { isPossible(in: log) ? $0 : nil } }

    func isPossible(in log: LogFile) -> Bool {
        with.allSatisfy { log.first($0.map(LogFile.Mark.text)) != nil }
            && log.first(without.map(LogFile.Mark.text)) == nil
    }

    /// Whether the reason for a missing response states the cause.
    func explains(_ exchange: Exchange) -> Bool {
        guard let failure = exchange.failure, with.isEmpty else { return false }
        return phrases.contains { failure.contains($0.text) } || !cells.isEmpty && Statement.row(in: failure) == self
    }

    var actor: ErrorDictionary.Actor { who ?? .init(addressedBy: fix.general) }

    static func all(_ json: JSONValue) throws -> [KnownCause] {
        try json.required("causes", \.array).map { try KnownCause($0) }
    }

    /// A test validates the bundled file; a damaged one has no causes.
    private static let file = JSONValue(resource: keyturn_resource_causes())

    static let bundled: [KnownCause] = (try? all(file)) ?? []

    /// What is said of the causes that only requests show, by name: the subject, the cause, the fix and who must act.
    static let requests = file["requests"]?.object ?? [:]

    static let missing = file["missing"] ?? .null

    static let particles = file["particles"] ?? .null

    /// The texts that error numbers follow, also on Microsoft's pages in other languages.
    static let codes = file["codes"]?.array ?? []

    /// The words by which ``Facts`` finds values and what is said of them.
    static let values = file["values"] ?? .null

    static let successes: [String] = file["successes"]?.object?.values.flatMap { $0.strings ?? [] } ?? []

    /// How a next step begins, by the party that it addresses.
    static let addressed = file["addressed"]?.object?.compactMapValues(\.strings) ?? [:]

    /// What other programs write that don't sign anybody in.
    static let foreign: [String] = file["foreign"]?.strings ?? []

    /// Words that only the sign-in's protocols and products have, in the letter cases of texts.
    static let protocolWords: [String] = Vocabulary.spellings(of: file["protocol"]?.strings ?? [])

    private static let programs = file["programs"]?.object?.compactMapValues(\.strings) ?? [:]

    /// What only one program, or the programs of a platform or runtime, write. A text with # at its end precedes a version.
    static func marks(of program: String) -> [LogFile.Mark] {
        programs[program, default: []].map { $0.hasSuffix("#") ? .version(String($0.dropLast())) : .text($0) }
    }

    static let vocabulary = file["words"].flatMap { try? Vocabulary($0) } ?? .empty

    static let cells = Dictionary(bundled.flatMap { row in row.cells.map { ($0, row) } }) { first, _ in first }

    private static let byName = Dictionary(bundled.map { ($0.id, $0) }) { first, _ in first }

    static func named(_ id: String) -> KnownCause? { byName[id] }
}

extension String {
    func filled(with values: inout ArraySlice<String>) -> String {
        let parts = split(separator: "{}", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { $0 + (values.popFirst() ?? "") + $1 }
    }
}

// MARK: In evidence

extension KnownCause {
    /// The causes that a sentence or a number states. Of equally strong ones that with more conditions comes first: it's more
    /// specific. A cause in other words than its number's is found by ``ErrorText``.
    static let rules: [CauseRules.Rule] = bundled.filter { $0.strength != .worded }.enumerated()
        .sorted { ($1.element.with.count, $0.offset) < ($0.element.with.count, $1.offset) }
        .map { _, known in CauseRules.Rule(known.id, known.strength) { known.cause(in: $0) } }

    private func cause(in evidence: Evidence) -> Cause? {
        // A page also loads what doesn't belong to the sign-in, for example from hosts that the network blocks.
        let requests = evidence.steps.isEmpty ? evidence.exchanges : evidence.steps.map(\.exchange)
        if let failed = requests.first(where: explains) {
            return cause(evidence, [.host(failed.host)], at: failed.number)
        }
        if let step = evidence.steps.last(where: { $0.rejection?.stated.contains(id) ?? false }) {
            return cause(evidence, at: step.number)
        }
        guard let log = evidence.log, let line = line(in: log) else { return nil }
        return cause(evidence, at: line)
    }

    func cause(_ evidence: Evidence, _ facts: [Fact] = [], at position: Int) -> Cause {
        Cause(
            id: id, subject: subject, headline: headline, facts: facts + (basis.map { [.basis($0)] } ?? []),
            fix: fix.text(in: evidence), who: who, positions: [position])
    }

    static func stated(in text: LogFile) -> Set<String> {
        Set(bundled.filter { $0.line(in: text) != nil }.map(\.id)).union([text.statement?.row.id].compactMap(\.self))
    }

    /// Its entry for a sentence in words of its own.
    var entry: ErrorDictionary.Entry { entry(id, nil) }

    private func entry(_ code: String, _ product: String?) -> ErrorDictionary.Entry {
        .init(
            kind: .phrase, code: code, cause: id, name: subject, meaning: headline, advice: fix, who: who,
            source: product ?? "several products")
    }

    /// Its entry for each text that names a product, or repeats a number.
    var entries: [ErrorDictionary.Entry] {
        phrases.filter { strength == .worded || $0.product != nil && strength != .guessed }
            .map { entry($0.text, $0.product) }
    }
}

/// How much a cause rests on. The strongest comes first, whatever its place in the evidence: what was observed counts more than a
/// sentence, a sentence more than a number, and these more than the name of an error, which has many causes.
enum CauseStrength: String, Sendable, Comparable, CaseIterable {
    /// The requests or the transport show it.
    case observed
    case stated
    case coded
    /// A sentence that repeats what a number says, or less.
    case worded
    /// The name of an error of a protocol or a library, for example `access_denied`.
    case named
    /// The evidence allows it, but doesn't show it.
    case guessed

    static func < (one: CauseStrength, other: CauseStrength) -> Bool { one.rank < other.rank }
}

extension CaseIterable where Self: Equatable, AllCases.Index == Int {
    /// The place in the declaration.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
