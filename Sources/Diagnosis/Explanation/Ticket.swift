import MSAL

/// A text for a ticket or a mail, without secrets. Its only identifiers are those by which the provider's logs name the request.
package struct Ticket: Sendable, Equatable {
    package enum Reader: String, Sendable, CaseIterable { case user, administrator, developer }

    let happened: String
    let step: String
    package let who: ErrorDictionary.Actor
    /// Values that the one who acts needs, for example the redirect URI that was sent.
    let facts: [Explanation.Row]
    let identifiers: [Explanation.Row]
    var lack: String?

    /// The longest line in characters, and the most lines.
    package static let (width, mostLines) = (100, 12)

    /// The reader that must act, or passes it on.
    package var reader: Reader {
        switch who {
        case .user: .user
        case .administrator, .operator: .administrator
        case .developer: .developer
        }
    }

    package func text(for reader: Reader) -> String {
        let start = [
            "What happened: \(told(happened, to: reader))", "What to do: \(told(step, to: reader))",
            "Who must do it: \(addressee(reader))", lack.map { "Please send: \($0)" },
        ].compactMap(\.self)
        // A user can't do anything with the values, but can pass on the identifiers.
        let values = (reader == .user ? [] : facts) + identifiers
        let ending = values.map { "\($0.name): \($0.value)" }.filter { $0.count <= Self.width }
        let lines = (start.flatMap(Self.wrapped) + ending).prefix(Self.mostLines)
        return lines.map { $0 + "\n" }.joined()
    }

    /// The sentence in the second person, if its reader must act, and without the request to ask the reader.
    private func told(_ text: String, to reader: Reader) -> String {
        guard reader == self.reader else { return text }
        switch reader {
        case .user:
            return Self.addressing.reduce(text) { $0.replacing($1.0, with: $1.1) }
                .replacing(Self.user.first.regex, with: "You").replacing(Self.user.later.regex, with: "you")
        case .administrator:
            let rest = text.trimmingPrefix(#/(?:Ask|Have) (?:the|an) administrator to |Have an administrator /#)
            return rest.prefix(1).uppercased() + rest.dropFirst()
        case .developer: return text
        }
    }

    private static let addressing = [
        ("The user's", "Your"), ("the user's", "your"), ("he user has", "he user have"), ("he user is", "he user are"),
        ("he user doesn't", "he user don't"), ("he user needs", "he user need"),
    ]

    /// Not "username".
    private static let user = (first: Pattern(#/\bThe user\b/#), later: Pattern(#/\bthe user\b/#))

    private func addressee(_ reader: Reader) -> String {
        if reader == self.reader { return who == .operator ? "\(who.words). Please pass it on." : "you." }
        return reader == .user
            ? "\(who.words). Please pass this text on; you need not do anything else." : "\(who.words)."
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.count + 1 + word.count > width {
                lines.append("  \(word)")
            } else {
                lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
            }
        }
        return lines
    }
}

extension Ticket {
    init(_ cause: Cause, in evidence: Evidence, missing: [Explanation.Row] = []) {
        self.init(
            happened: cause.strength == .guessed ? "Not certain. Perhaps: \(cause.headline)" : cause.headline,
            step: cause.fix, who: cause.actor, facts: cause.facts.map(\.row).filter { !$0.value.isEmpty },
            identifiers: Self.identifiers(cause, evidence))
        lack = missing.first { !$0.value.isEmpty }.map { "\($0.name). \($0.value)" }
    }

    init?(_ finding: CheckFinding) {
        guard finding.verdict == .failed, let fix = finding.fix else { return nil }
        self.init(happened: finding.fact, step: fix, who: .init(addressedBy: fix), facts: [], identifiers: [])
    }

    init(_ entry: ErrorDictionary.Entry, in evidence: Evidence?) {
        let step = entry.advice.text(in: evidence)
        self.init(
            happened: entry.meaning, step: step, who: entry.actor,
            facts: entry.kind == .phrase ? [] : [.init("Error", entry.code)], identifiers: [])
    }

    /// Those of the last of the cause's responses that has any.
    private static func identifiers(_ cause: Cause, _ evidence: Evidence) -> [Explanation.Row] {
        let exchanges = evidence.exchanges.filter { cause.positions.contains($0.number) }
        return exchanges.reversed().lazy.map(\.identifiers).first { !$0.isEmpty } ?? []
    }

    func adding(_ details: [Explanation.Row]) -> Ticket {
        guard identifiers.isEmpty, let found = Self.identifying(details) else { return self }
        return Ticket(happened: happened, step: step, who: who, facts: facts, identifiers: found)
    }
}

extension Cause {
    /// Who must take the next step.
    var actor: ErrorDictionary.Actor { who ?? .init(addressedBy: fix) }
}

extension ErrorDictionary.Entry {
    /// Who must take the next step.
    var actor: ErrorDictionary.Actor { who ?? .init(addressedBy: nextStep) }
}

extension Exchange {
    fileprivate var identifiers: [Explanation.Row] {
        let told = body.flatMap { ErrorDetails.section(in: Array($0.utf8), at: 1) }?.rows ?? []
        if let named = Ticket.identifying(told) { return named }
        let sent: [(label: String, name: String, value: String?)] = [
            ("Request ID", "trace_id", responseHeaders["x-ms-request-id"]),
            (
                "Correlation ID", "correlation_id",
                responseHeaders["client-request-id"] ?? requestHeaders["client-request-id"]
                    ?? parameters["client-request-id"]
            ),
        ]
        let shown = sent.compactMap { label, name, value in
            value.map { Explanation.Row(label, Privacy.text($0, of: name, for: .explanation)) }
        }.filter { !$0.value.hasPrefix("hidden") }
        let moment = (date ?? time).flatMap { shown.isEmpty || hasLocalTime ? nil : $0 }
        return shown + (moment.map { [.init("Time", $0.ISO8601Format())] } ?? [])
    }
}

extension Ticket {
    fileprivate static func identifying(_ details: [Explanation.Row]) -> [Explanation.Row]? {
        let found = details.filter { ["Request ID", "Correlation ID", "Time"].contains($0.name) }
        return found.isEmpty ? nil : found
    }
}
