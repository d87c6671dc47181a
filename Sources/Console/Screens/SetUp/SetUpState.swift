import Diagnosis
import MSAL
import TerminalUI

/// The set-up form: the typed draft, its validation, and the result of the authority test.
package struct SetUpState: FormScreen, TypingScreen, HearingScreen {
    package enum Test: Sendable, Equatable {
        case running(EffectID)
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
    package var test: Test?
    package var problem: Failure?

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
            if [.authority, .certificates].contains(focus) { test = nil }
        }
    }

    /// Whether the form has unsaved changes.
    package var isTouched: Bool { fields.mapValues(\.text) != original }

    /// Whether the authority was tested without failures. Only then do fields show a tick.
    package var isConfirmed: Bool {
        guard case .found(let findings) = test else { return false }
        return !findings.contains { $0.verdict == .failed }
    }

    /// Whether to test the authority when the user leaves its field: its address is valid and untested.
    var testsOnLeaving: Bool {
        focus == .authority && test == nil && !draft.authority.isEmpty && judgement[.authority]?.verdict != .failed
    }

    /// The visible fields. The CA file appears only if it matters.
    package var shownFields: [ProfileDraft.Field] {
        ProfileDraft.Field.allCases.filter { $0 != .certificates || wantsCertificates }
    }

    private var wantsCertificates: Bool {
        if case .edit = purpose { return true }
        if focus == .certificates || fields[.certificates]?.isEmpty == false { return true }
        guard case .found(let findings) = test else { return false }
        return findings.contains(AuthorityFindings.untrustedCertificate)
    }

    /// Stores the findings of the authority test. If its certificate isn't trusted, moves the focus to the CA file.
    package mutating func show(_ findings: [CheckFinding]) {
        test = .found(findings)
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

    package enum Layer: String, KeyLayer { case all = "Set up" }

    var waits: [Wait] {
        var waits = [judging, saving].compactMap(\.self).map { Wait($0, .leave) }
        // The authority's response is useless once the form is closed.
        if case .running(let id) = test { waits.append(Wait(id, .cancel)) }
        return waits
    }

    func title(_ context: Context) -> String {
        switch purpose {
        case .add: "Set up \(kind?.title ?? "a profile")"
        case .edit(let name): "Edit \(name)"
        }
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        SetUpView(state: self, context: context).draw(on: &surface, in: rect)
    }

    static let commands: [Command] = [
        Command(
            "submit", [.enter],
            "In Authority and Client ID, go to the next field. In other fields, save; if the profile is new, sign in.",
            hint: "next or save", inLines: .absent
        ) { $0.saving == nil ? $0.submit(&$1) : .none },
        Command("nextField", [.tab, .down], "Go to the next field.", hint: "next field", inLines: .absent) { state, _ in
            if state.saving == nil { state.moveFocus(by: 1) }
            return .none
        },
        Command("previousField", [.backTab, .up], "Go to the previous field.", inLines: .absent) { state, _ in
            if state.saving == nil { state.moveFocus(by: -1) }
            return .none
        },
        Command(
            "askAuthority", [.control("t"), .function(5)], "Test the authority and show what it supports.",
            hint: "test", if: canTest
        ) { state, context in
            state.saving == nil ? .start(state.testAuthority(&context)) : .none
        },
        help([.function(1)]),
        Command(
            "back", [.escape], "Go back (asks before discarding changes).", hint: "back", group: .everywhere
        ) { state, _ in state.isTouched ? .open(.discard) : .move(.leave) },
        interrupt,
    ]

    private static func canTest(_ state: SetUpState, _ context: Context) -> Availability {
        if case .running = state.test { return .unavailable("The test is running.") }
        // The last input is still being checked; a test of an invalid address fails with its reason.
        if state.judging != nil { return .available }
        switch state.judgement[.authority]?.verdict {
        case .passed, .warning: return .available
        case .failed, .skipped, nil: return .unavailable("Enter a valid authority first.")
        }
    }

    private mutating func testAuthority(_ context: inout Context) -> Effect {
        let id = context.makeEffectID()
        test = .running(id)
        return .profiles(id, .test(draft))
    }

    /// Goes to the next question, testing the authority after its own. After the last question, saves the profile, or
    /// goes to the first field that prevents it.
    private mutating func submit(_ context: inout Context) -> Reaction {
        let questions = ProfileDraft.Field.questions
        if let place = questions.firstIndex(of: focus), place + 1 < questions.count {
            let tests = testsOnLeaving
            focus = questions[place + 1]
            return tests ? .start(testAuthority(&context)) : .none
        }
        isSubmitted = judging != nil
        guard !isSubmitted else { return .none }
        if let obstacle = judgement.firstObstacle {
            focus = obstacle
            let what = draft[obstacle].isEmpty ? "is missing" : "is invalid"
            context.notice = Notice(.warning, "\(obstacle.title) \(what).")
            return .none
        }
        let id = context.makeEffectID()
        saving = id
        problem = nil
        guard case .edit(let name) = purpose else { return .start(.profiles(id, .save(draft, replacing: nil))) }
        return .start(.profiles(id, .save(draft, replacing: name)))
    }

    /// Edits the focused field.
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard saving == nil else { return nil }
        var field = focused
        return field.press(key) ? edit(field, &context) : nil
    }

    func acceptsPaste(_ context: Context) -> Bool { saving == nil }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        guard acceptsPaste(context) else { return .none }
        var field = focused
        field.insert(text)
        return edit(field, &context)
    }

    private mutating func edit(_ field: TextField, _ context: inout Context) -> Reaction {
        let old = draft
        focused = field
        return draft == old ? .none : .start(judge(&context))
    }

    fileprivate mutating func judge(_ context: inout Context) -> Effect {
        let id = context.makeEffectID()
        judging = id
        return .profiles(id, .judge(draft))
    }

    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction {
        switch word {
        case .discard: .move(.leave)
        case .removeProfile, .profilesChanged: .none
        }
    }

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        guard case .profiles(let id, let result) = message else { return .none }
        switch result {
        case .judged(let judgement) where id == judging:
            judging = nil
            self.judgement = judgement
            return isSubmitted ? submit(&context) : .none
        case .tested(let findings) where self.test == .running(id):
            show(findings)
            return .none
        case .saved(let outcome) where id == saving: return finish(saved: outcome, &context)
        case .opened(let outcome) where id == saving: return finish(opened: outcome, &context)
        case .listed, .judged, .tested, .saved, .opened: return .none
        }
    }

    private mutating func finish(
        saved outcome: Outcome<ProfileResult.Saved>, _ context: inout Context
    ) -> Reaction {
        if case .failure(let report) = outcome {
            (saving, problem) = (nil, report)
            return .none
        }
        context.notice = Notice(.success, "Saved profile \(draft.name).")
        guard case .edit(let name) = purpose else { return openSaved(isNew: true, &context) }
        return name == context.profile?.name ? openSaved(isNew: false, &context) : .move(.close(.profilesChanged))
    }

    /// Keeps the form open until the application exists, so that the user can fix what the library rejects.
    private mutating func openSaved(isNew: Bool, _ context: inout Context) -> Reaction {
        let id = context.makeEffectID()
        saving = id
        // The profile is in the file now, so saving again replaces it.
        purpose = .edit(draft.name)
        signsInWhenOpened = isNew || signsInWhenOpened
        return .start(.profiles(id, .open(draft.name)))
    }

    private mutating func finish(opened outcome: Outcome<ProgramProfile>, _ context: inout Context) -> Reaction {
        switch outcome {
        case .success(let profile): return context.change(to: profile, then: signsInWhenOpened ? .signIn() : nil)
        case .failure(let report):
            (saving, problem) = (nil, report)
            return .none
        }
    }

    // Line mode.

    func lines(_ context: Context) -> [String] {
        let lines = shownFields.map { field in
            let finding = judgement[field].map { " \($0.sentences)" } ?? ""
            return "\(field.title): \(draft[field].isEmpty ? "none" : draft[field]).\(finding)"
        }
        let problem = problem.map(\.lines) ?? []
        guard case .found(let findings) = test else { return problem + lines }
        return problem + lines + findings.map { "Authority: \($0.sentences)" }
    }

    mutating func focus(field: Int) {
        if saving == nil, shownFields.indices.contains(field) { focus = shownFields[field] }
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        guard saving == nil, !text.isEmpty else { return .none }
        var field = TextField()
        field.insert(text)
        return edit(field, &context)
    }

    var form: LineForm {
        let fields = shownFields
        func place(_ field: ProfileDraft.Field) -> Int { fields.firstIndex(of: field) ?? 0 }
        return LineForm(
            fields: fields.map { field in
                let finding = judgement[field]
                return LineForm.Field(
                    title: field.title, value: draft[field],
                    help: kind.map { [$0.explanation(of: field), "Example: \($0.example(of: field))"] } ?? [],
                    finding: finding.flatMap { $0.verdict == .skipped ? nil : $0.sentences },
                    isWrong: finding?.verdict == .failed)
            },
            focused: place(focus), obstacle: judgement.firstObstacle.map(place),
            last: place(.redirectURI), submit: "submit", isNew: purpose == .add)
    }
}

extension Destination {
    static func setUp(_ purpose: SetUpPurpose, _ draft: ProfileDraft, taken: [String]) -> Destination {
        Destination { context in
            var state = SetUpState(purpose, draft, taken: taken)
            let judging = state.judge(&context)
            return Opening(state, [judging])
        }
    }
}

extension Destination {
    static let discard = Destination(DiscardQuestion())
}

/// Asks whether to discard the typed profile.
struct DiscardQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Discard your changes?" }

    var focus = DialogFocus.cancel

    static let commands = choices(yes: "Yes, discard them.", no: "No, keep editing.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.close(.discard)) }

    var dialog: Dialog {
        Dialog(
            title: "Discard your changes?", message: "They aren't saved.",
            buttons: [Dialog.Button("Keep editing"), Dialog.Button("Discard", isDangerous: true)],
            focused: focus.rawValue)
    }
}
