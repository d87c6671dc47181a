import Diagnosis
import TerminalUI

/// The set-up's form: what has been typed, what the rules make of it, and what the authority says of itself.
package struct SetUpState: Sendable, Equatable {
    package enum Answer: Sendable, Equatable {
        case asking(EffectID)
        case found([CheckFinding])
    }

    package var purpose: SetUpPurpose
    package var kind: ProviderKind?
    package private(set) var fields: [ProfileDraft.Field: TextField]
    package var focus = ProfileDraft.Field.authority {
        didSet {
            // What stands in the field is what will be saved.
            if oldValue == .authority, focus != oldValue { fields[.authority] = TextField(draft.authority) }
        }
    }
    /// What was in the fields when the form was opened.
    private let original: [ProfileDraft.Field: String]
    /// Names of other profiles.
    package var taken: [String]
    package var judgement = DraftJudgement()
    /// The newest judging that was asked for; an older one's result is of another draft.
    package var judging: EffectID?
    /// It was asked to be saved while its last letters are still judged.
    package var isSubmitted = false
    package var saving: EffectID?
    /// A new profile is signed in with at once.
    package var signsInWhenOpened = false
    /// What the authority answered about the address that stands in the form; nil: it has not been asked.
    package var answer: Answer?
    package var problem: ErrorReport?

    package init(_ purpose: SetUpPurpose, _ draft: ProfileDraft, taken: [String]) {
        self.purpose = purpose
        self.taken = taken
        kind = draft.kind
        original = Dictionary(uniqueKeysWithValues: ProfileDraft.Field.allCases.map { ($0, draft[$0]) })
        fields = original.mapValues { TextField($0) }
        focus = ProfileDraft.Field.questions.first { draft[$0].isEmpty } ?? .authority
    }

    /// What is in the fields, with the name that it would get.
    package var draft: ProfileDraft {
        var draft = ProfileDraft(kind: kind)
        for (field, text) in fields { draft[field] = text.text }
        draft = draft.completed
        if draft.name.isEmpty { draft.name = draft.suggestedName(besides: taken) }
        return draft
    }

    package var focused: TextField {
        get { fields[focus] ?? TextField() }
        set {
            let isChanged = newValue.text != focused.text
            fields[focus] = newValue
            guard isChanged else { return }
            problem = nil
            isSubmitted = false
            if [.authority, .certificates].contains(focus) { answer = nil }
        }
    }

    /// Whether leaving the form would lose what was typed.
    package var isTouched: Bool { fields.mapValues(\.text) != original }

    /// Whether the authority was asked and nothing about it is wrong. Before that, no answer is marked as right.
    package var isConfirmed: Bool {
        guard case .found(let findings) = answer else { return false }
        return !findings.contains { $0.verdict == .wrong }
    }

    /// Whether the authority is asked when its question is answered: it has an address that the rules take, and has not been
    /// asked about it.
    var asksOnLeaving: Bool {
        focus == .authority && answer == nil && !draft.authority.isEmpty && judgement[.authority]?.verdict != .wrong
    }

    /// The fields that are shown: the CA file where it matters.
    package var shownFields: [ProfileDraft.Field] {
        ProfileDraft.Field.allCases.filter { $0 != .certificates || asksForCertificates }
    }

    private var asksForCertificates: Bool {
        if case .edit = purpose { return true }
        if focus == .certificates || fields[.certificates]?.isEmpty == false { return true }
        guard case .found(let findings) = answer else { return false }
        return findings.contains(AuthorityFindings.untrustedCertificate)
    }

    /// Takes the authority's answer. Where its certificate is not trusted, a CA file is asked for next.
    package mutating func take(_ findings: [CheckFinding]) {
        answer = .found(findings)
        let isUntrusted = findings.contains(AuthorityFindings.untrustedCertificate)
        // Never away from another field that is being typed in.
        if isUntrusted, focus == .authority, fields[.certificates]?.isEmpty != false { focus = .certificates }
    }

    /// The field after the focused one, or the one before it, and round again.
    package mutating func moveFocus(by step: Int) {
        let all = shownFields
        let place = all.firstIndex(of: focus) ?? 0
        focus = all[(place + step + all.count) % all.count]
    }
}
