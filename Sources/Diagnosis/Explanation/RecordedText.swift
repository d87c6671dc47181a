import OAuthCore

/// As each kind of explanation sees it.
struct RecordedText {
    private let bytes: [UInt8]
    private let text: LogFile
    private let evidence: Evidence
    private let errors: ErrorText

    /// A text with more responses is a log.
    private static let mostResponses = 8

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        evidence = Evidence(text: bytes)
        text = evidence.log ?? LogFile([])
        errors = ErrorText(text)
    }

    private var isResponse: Bool {
        text.writer == nil && (1...Self.mostResponses).contains(evidence.exchanges.count) && !evidence.hasSignIn
    }

    /// In a longer text without a word of a sign-in, words and statuses that any program writes are those of another one.
    func hasOnlyForeign(_ cause: String) -> Bool {
        guard text.lines > Statement.Finder.mostOfError, !text.isOfProtocol, text.writer == nil, text.ownError == nil,
            text.success == nil, text.codes.isEmpty,
            !evidence.exchanges.contains(where: { !$0.responseHeaders.fields.isEmpty || $0.body != nil })
        else { return false }
        let row = KnownCause.named(cause)
        return row?.cells.isEmpty != true
            || !evidence.exchanges.isEmpty && row?.phrases.contains { $0.product == nil } == true
    }

    var ownError: Explanation? { text.writer == .keyturn ? nil : Explanation(ownErrorIn: text) }

    var rejectedToken: Explanation? {
        isResponse && evidence.showsRejectedToken ? Explanation(responses: evidence) : nil
    }

    var claimsChallenge: Explanation? {
        guard isResponse, let field = evidence.exchanges.last?.responseHeaders["WWW-Authenticate"],
            let challenge = ChallengeExplanation(field), challenge.requiresClaims
        else { return nil }
        return challenge.explanation
    }

    var log: Explanation? {
        text.writer != nil || text.success != nil || evidence.hasSignIn ? Explanation(log: evidence) : nil
    }

    /// A cause that a sentence states, unless the error's own explanation starts with it.
    var statedCause: Explanation? {
        let judgements = CauseRules.judgements(of: evidence)
        guard let cause = judgements.causes.first else { return nil }
        // A sentence in words of its own states its cause as one of a row does.
        let told = text.statement.flatMap { $0.row.id == cause.id ? $0.row : nil }
        guard cause.strength <= .stated || told != nil,
            !cause.facts.isEmpty || errors.mentions.first?.entry.cause != cause.id || told?.strength == .stated
        else { return nil }
        return isResponse ? Explanation(responses: evidence, judgements) : Explanation(log: evidence, judgements)
    }

    var error: Explanation? { errors.mentions.isEmpty ? nil : Explanation(errors, evidence) }

    var response: Explanation? { isResponse ? Explanation(responses: evidence) : nil }

    var unlistedError: Explanation? { Explanation(errors, evidence) }

    /// Any cause, or the success of an unknown program.
    var anyCause: Explanation? { Explanation(log: evidence) }

    var foreign: Explanation? { text.isDocument || text.told.isForeign ? withoutSignIn : nil }

    var withoutSignIn: Explanation {
        Explanation(
            .log,
            "There is no sign-in in this text: "
                + (text.isDocument ? "it's source code or documentation." : "another program failed."))
    }

    var details: Explanation.Section? {
        let line = errors.mentions.first?.line ?? errors.unlisted.first?.line
        return line.flatMap { ErrorDetails.section(in: bytes, at: $0) }
    }
}
