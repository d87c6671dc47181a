/// What a rule says about its cause.
enum Judgement: Sendable, Equatable {
    case found(Cause)
    /// The requests show that it's another cause.
    case ruledOut(Exclusion)
    /// The requests don't show enough.
    case open

    init(_ evidence: Evidence, _ find: (Evidence) -> Cause?) { self = find(evidence).map(Self.found) ?? .open }

    /// - Parameter proof: a phrase without a full stop.
    static func ruledOut(_ subject: String, _ proof: String) -> Judgement { .ruledOut(.init(subject, proof)) }

    /// The judgement of several requests: the first cause. Ruled out only if each of them is.
    init(_ judgements: some Sequence<Judgement>) {
        let all = Array(judgements)
        self =
            all.first { $0.cause != nil }
            ?? (all.allSatisfy { $0.exclusion != nil } ? all.last : nil) ?? .open
    }

    var cause: Cause? { if case .found(let cause) = self { cause } else { nil } }
    var exclusion: Exclusion? { if case .ruledOut(let exclusion) = self { exclusion } else { nil } }
}

/// What was checked and is in order, with the proof.
struct Exclusion: Sendable, Equatable {
    let row: Explanation.Row
    var subject: String { row.name }

    init(_ subject: String, _ proof: String) { row = .init(subject, proof) }
}
