import Foundation
import MSAL
import OAuthCore

struct Cause: Sendable, Equatable {
    /// That of the rule, of the row in `Resources/causes.json` or of the error's code.
    var id = ""
    var strength = CauseStrength.observed
    var subject: String
    var headline: String
    var facts: [Fact] = []
    var fix: String
    /// `nil` if the words of the fix say so.
    var who: ErrorDictionary.Actor?
    var positions: [Int]
    /// The codes that confirm an inferred cause; `nil` for an observed one.
    var confirmingCodes: Set<LogFile.Code>?
}

extension Cause {
    /// With the texts of a row of ``KnownCause/requests`` or of a cause; `value` is the headline's `{}`.
    init(
        _ text: String, naming value: String = "", facts: [Fact] = [], confirmedBy codes: Set<LogFile.Code>? = nil,
        at positions: Int...
    ) {
        let row = KnownCause.requests[text]
        let known = row == nil ? KnownCause.named(text) : nil
        self.init(
            subject: row?["subject"]?.string ?? known?.subject ?? text,
            headline: (row?["cause"]?.string ?? known?.headline ?? text).replacing("{}", with: value), facts: facts,
            fix: row?["fix"]?.string ?? known?.fix.general ?? "",
            who: row?["who"]?.string.flatMap(ErrorDictionary.Actor.init) ?? known?.who, positions: positions,
            confirmingCodes: codes)
    }
}

/// A value behind a cause. Its factories apply ``Privacy``.
struct Fact: Sendable, Equatable {
    let row: Explanation.Row

    private init(_ name: String, _ value: String) { row = .init(name, value) }

    static func parameter(_ name: String, _ value: String, labelled label: String? = nil) -> Fact {
        Fact(label ?? name, Privacy.text(value, of: name, for: .explanation))
    }

    static func url(_ label: String, _ text: String) -> Fact { Fact(label, Privacy.url(text)) }

    static func status(_ status: Int) -> Fact { Fact("Status", "HTTP \(status)") }

    static func seconds(_ label: String, _ seconds: Double) -> Fact { Fact(label, "\(Int(seconds)) s") }

    static func time(_ label: String, _ date: Date) -> Fact { Fact(label, date.ISO8601Format()) }

    static func size(_ bytes: Int) -> Fact { Fact("Size", "\(bytes) bytes") }

    /// A sentence of a program, without its values.
    static func sentence(_ text: String) -> Fact { Fact("It says", text) }

    static func host(_ text: String) -> Fact { Fact("Host", Privacy.host(text)) }

    /// The same in quotation marks, with the blank at its start or end.
    func quoted(startsBlank: Bool) -> Fact { Fact(row.name, startsBlank ? "\" \(row.value)\"" : "\"\(row.value) \"") }

    static func basis(_ text: String) -> Fact { Fact("Rests on", text) }

    static func difference(_ difference: ValueDifference) -> Fact { Fact("Difference", difference.sentence) }
}

enum CauseRules {
    struct Rule: Sendable {
        /// The stable name of its causes; `nil` if each has its own.
        let id: String?
        let strength: CauseStrength?
        private let judge: @Sendable (Evidence) -> Judgement

        /// - Parameter strength: `nil` if each of its causes has its own.
        init(_ id: String?, _ strength: CauseStrength?, _ find: @escaping @Sendable (Evidence) -> Cause?) {
            (self.id, self.strength) = (id, strength)
            judge = { Judgement($0, find) }
        }

        /// A rule whose causes the requests show.
        init(_ id: String, _ find: @escaping @Sendable (Evidence) -> Cause?) { self.init(id, .observed, find) }

        init(
            _ id: String, _ strength: CauseStrength = .observed,
            judging judge: @escaping @Sendable (Evidence) -> Judgement
        ) { (self.id, self.strength, self.judge) = (id, strength, judge) }

        func callAsFunction(_ evidence: Evidence) -> Judgement {
            let judgement = judge(evidence)
            guard case .found(var cause) = judgement else { return judgement }
            if let id { cause.id = id }
            if let strength { cause.strength = strength }
            return .found(cause)
        }
    }

    /// Of equally strong causes, that of the earlier rule comes first.
    static let all: [Rule] =
        GrantCauses.all + FlowCauses.all + TokenCauses.all + Agreement.rules
        + [Rule(nil, .stated, OwnError.cause), Rule("server-busy", .coded, judging: NetworkCauses.busy)]
        + KnownCause.rules + NetworkCauses.all
        + [Rule(nil, nil, CodedCauses.rejection), Rule("no-reason", .named, NetworkCauses.unexplained)]

    typealias Judgements = (causes: [Cause], excluded: [Exclusion])

    /// Each cause once, the strongest first, and of equally strong ones in the order of the rules.
    static func causes(of evidence: Evidence) -> [Cause] { judgements(of: evidence).causes }

    static func judgements(of evidence: Evidence) -> Judgements {
        let judgements = all.compactMap { Task.isCancelled ? nil : $0(evidence) }
        let causes = distinct(judgements.compactMap(\.cause), evidence)
        let excluded = judgements.compactMap(\.exclusion).filter { exclusion in
            !causes.contains { $0.subject == exclusion.subject }
        }
        return (causes.isEmpty ? unknown(evidence).map { [$0] } ?? [] : causes, excluded)
    }

    private static func unknown(_ evidence: Evidence) -> Cause? {
        guard let log = evidence.log, let unknown = log.told.unknown, evidence.lastSuccess == nil,
            evidence.success == nil
        else { return nil }
        var cause = Cause("unknown-sentence", facts: [.sentence(unknown.text)], at: unknown.line)
        (cause.id, cause.strength, cause.who) = (Cause.unknown, .named, .developer)
        return cause
    }

    private static func distinct(_ found: [Cause], _ evidence: Evidence) -> [Cause] {
        ordered(found).reduce(into: []) { found, cause in
            // A sentence states the cause, and the requests have its values.
            if let same = found.firstIndex(where: { $0.id == cause.id && $0.facts.isEmpty }) {
                found[same].facts = cause.facts
            }
            // An error that a stronger cause explains isn't a second cause.
            let isExplained = found.contains {
                $0.subject == cause.subject || cause.subject == NetworkCauses.unexplainedSubject
                    || !Set($0.positions).isDisjoint(with: cause.positions)
            }
            if !isExplained, !isContradicted(cause, by: evidence) { found.append(cause) }
        }
    }

    /// The causes in a text alone, for example a URL, whose encoded description is read too.
    static func causes(in text: String) -> [Cause] {
        let description = Parameters(queryAndFragmentOf: text)["error_description"].map { "\n\($0)" } ?? ""
        return causes(of: Evidence(text: Array("\(text)\(description)".utf8)))
    }

    static func ordered(_ causes: [Cause]) -> [Cause] {
        causes.enumerated().sorted { ($0.element.strength, $0.offset) < ($1.element.strength, $1.offset) }
            .map(\.element)
    }

    /// Whether the authority named another reason, which counts more than an inference.
    private static func isContradicted(_ cause: Cause, by evidence: Evidence) -> Bool {
        guard let confirming = cause.confirmingCodes else { return false }
        let named = evidence.steps.filter { cause.positions.contains($0.number) }.flatMap { $0.rejection?.codes ?? [] }
            .filter { !unspecificCodes.contains($0) && $0.entry != nil }
        return !named.isEmpty && confirming.isDisjoint(with: named)
    }

    /// Codes of an invalid grant or request of any kind.
    private static let unspecificCodes: Set<LogFile.Code> = [50000, 70000, 70002, 90023, 9002313]
}

enum Judgement: Sendable, Equatable {
    case found(Cause)
    /// The requests show that it's another cause.
    case ruledOut(Exclusion)
    /// The requests don't show enough.
    case open

    init(_ evidence: Evidence, _ find: (Evidence) -> Cause?) { self = find(evidence).map(Self.found) ?? .open }

    /// A cause that the requests show.
    static func found(
        _ text: String, naming value: String = "", facts: [Fact] = [], confirmedBy codes: Set<LogFile.Code>? = nil,
        at positions: Int...
    ) -> Judgement {
        var cause = Cause(text, naming: value, facts: facts, confirmedBy: codes)
        cause.positions = positions
        return .found(cause)
    }

    /// - Parameter proof: a phrase without a full stop.
    static func ruledOut(_ subject: String, _ proof: String) -> Judgement { .ruledOut(.init(subject, proof)) }

    /// The judgement of several requests: the first cause. Ruled out only if each of them is.
    init(_ judgements: some Sequence<Judgement>) {
        let all = Array(judgements)
        self = all.first { $0.cause != nil } ?? (all.allSatisfy { $0.exclusion != nil } ? all.last : nil) ?? .open
    }

    var cause: Cause? { if case .found(let cause) = self { cause } else { nil } }
    var exclusion: Exclusion? { if case .ruledOut(let exclusion) = self { exclusion } else { nil } }
}

struct Exclusion: Sendable, Equatable {
    let row: Explanation.Row
    var subject: String { row.name }

    init(_ subject: String, _ proof: String) { row = .init(subject, proof) }
}
