import Foundation

/// The times of the token in a text, and that at which a program rejected it.
struct TokenTimes: Sendable {
    private typealias Moment = (date: Date, line: Int)
    private var claimed: [String: [Moment]] = [:]
    private var rejection: (date: Date, hasZone: Bool, line: Int)?

    mutating func note(_ claim: String, _ value: String, _ line: Int) {
        guard ["exp", "nbf", "iat"].contains(claim), value.count == 10, let seconds = Double(value) else { return }
        claimed[claim, default: []].append((Date(timeIntervalSince1970: seconds), line))
    }

    mutating func noteRejection(_ text: String, _ line: Int) {
        if let (date, hasZone) = RequestText.time(text) { rejection = (date, hasZone, line) }
    }

    /// How far a time without a zone can be from UTC.
    private static let widestZone = 14.0 * 3600

    /// A token whose time was over, or hadn't begun. Of several tokens, nobody knows which was rejected.
    static let rule = CauseRules.Rule(nil, .observed) { evidence in
        let times = evidence.facts.times
        guard let rejected = times.rejection, !evidence.succeeds(after: rejected.line) else { return nil }
        func only(_ claim: String) -> Moment? {
            let moments = times.claimed[claim] ?? []
            return Set(moments.map(\.date)).count == 1 ? moments.first : nil
        }
        let slack = rejected.hasZone ? 0 : widestZone
        let end = only("exp").flatMap { $0.date + slack < rejected.date ? $0 : nil }
        let start = [only("nbf"), only("iat")].compactMap(\.self).first { $0.date - slack > rejected.date }
        guard let moment = end ?? start,
            var cause = KnownCause.named(end == nil ? "token-not-valid-yet" : "token-expired")?.cause(
                evidence,
                [.time(end == nil ? "Valid from" : "Expires", moment.date), .time("Rejected", rejected.date)],
                at: moment.line)
        else { return nil }
        cause.positions.append(rejected.line)
        return cause
    }
}
