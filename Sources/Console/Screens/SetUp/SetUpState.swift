import Diagnosis
import TerminalUI

/// The set-up form: the typed draft, its validation, and the result of the authority test.
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
            // The field then shows what will be saved.
            if oldValue == .authority, focus != oldValue { fields[.authority] = TextField(draft.authority) }
        }
    }
    /// The fields when the form was opened.
    private let original: [ProfileDraft.Field: String]
    /// The names of the other profiles.
    package var taken: [String]
    package var judgement = DraftJudgement()
    /// The latest validation. Results of older ones are ignored.
    package var judging: EffectID?
    /// Whether the user submitted the form while a validation runs.
    package var isSubmitted = false
    package var saving: EffectID?
    /// Whether to sign in once a saved profile is open.
    package var signsInWhenOpened = false
    /// The test of the authority in the form; nil if it wasn't tested.
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

    /// The fields as a draft, with a suggested name if the name is empty.
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

    /// Whether the form has unsaved changes.
    package var isTouched: Bool { fields.mapValues(\.text) != original }

    /// Whether the authority was tested without failures. Only then do fields show a tick.
    package var isConfirmed: Bool {
        guard case .found(let findings) = answer else { return false }
        return !findings.contains { $0.verdict == .failed }
    }

    /// Whether to test the authority when the user leaves its field: its address is valid and untested.
    var asksOnLeaving: Bool {
        focus == .authority && answer == nil && !draft.authority.isEmpty && judgement[.authority]?.verdict != .failed
    }

    /// The visible fields. The CA file appears only if it matters.
    package var shownFields: [ProfileDraft.Field] {
        ProfileDraft.Field.allCases.filter { $0 != .certificates || asksForCertificates }
    }

    private var asksForCertificates: Bool {
        if case .edit = purpose { return true }
        if focus == .certificates || fields[.certificates]?.isEmpty == false { return true }
        guard case .found(let findings) = answer else { return false }
        return findings.contains(AuthorityFindings.untrustedCertificate)
    }

    /// Stores the findings of the authority test. If its certificate isn't trusted, moves the focus to the CA file.
    package mutating func take(_ findings: [CheckFinding]) {
        answer = .found(findings)
        let isUntrusted = findings.contains(AuthorityFindings.untrustedCertificate)
        // Don't move the focus away from a field the user is editing.
        if isUntrusted, focus == .authority, fields[.certificates]?.isEmpty != false { focus = .certificates }
    }

    /// Focuses the next or previous field, wrapping around.
    package mutating func moveFocus(by step: Int) {
        let all = shownFields
        let place = all.firstIndex(of: focus) ?? 0
        focus = all[(place + step + all.count) % all.count]
    }
}
