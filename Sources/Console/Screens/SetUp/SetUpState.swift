import Diagnosis
import MSAL
import TerminalUI

/// The set-up form: the typed draft, its validation, and the result of the authority test.
package struct SetUpState: FormScreen, TypingScreen, HearingScreen, KeepingScreen, WaitingScreen {
    package enum Test: Sendable, Equatable {
        case running(EffectID)
        case found([CheckFinding])

        var findings: [CheckFinding]? {
            if case .found(let findings) = self { findings } else { nil }
        }
    }

    package var purpose: SetUpPurpose
    package var kind: ProviderKind?
    package private(set) var fields: [ProfileDraft.Field: TextField]
    package var focus = ProfileDraft.Field.authority {
        didSet {
            // The field then shows what will be saved.
            if oldValue == .authority, focus != oldValue { fields[.authority] = TextField(draft.authority) }
            isTyping = false
        }
    }
    /// Whether the user has edited the focused field since it got the cursor. The cursor then stays there.
    private var isTyping = false
    /// The field that the user left before its validation, which can move the cursor back.
    private var left: ProfileDraft.Field?
    private let original: [ProfileDraft.Field: String]
    /// The names of the other profiles.
    package var taken: [String]
    package var judgement = DraftJudgement()
    /// The latest validation. Results of older ones are ignored.
    package var judging: EffectID?
    /// Whether the user submitted the form while a validation or a test runs.
    package var isSubmitted = false
    private var acceptsFailedTest = false
    /// Whether the last answer in line mode is about what the test uses, so that the test follows its validation.
    var isLeftInLines = false
    package var saving: EffectID?
    /// Whether to sign in once a saved profile is open.
    package var signsInWhenOpened = false
    package var test: Test?
    package var problem: Failure?

    /// - Parameter focus: the field with the cursor; nil for the first question without an answer.
    package init(
        _ purpose: SetUpPurpose, _ draft: ProfileDraft, taken: [String], focus field: ProfileDraft.Field? = nil
    ) {
        self.purpose = purpose
        self.taken = taken
        kind = draft.kind
        original = Dictionary(uniqueKeysWithValues: ProfileDraft.Field.allCases.map { ($0, draft[$0]) })
        fields = original.mapValues { TextField($0) }
        focus = field ?? ProfileDraft.Field.questions.first { draft[$0].isEmpty } ?? .authority
    }

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
            (problem, isTyping, isSubmitted) = (nil, true, false)
            if Self.tested.contains(focus) { (test, acceptsFailedTest) = (nil, false) }
        }
    }

    /// Before unsaved changes are lost.
    var keeping: Move? { fields.mapValues(\.text) != original ? .open(.discard) : nil }

    /// The fields that the test of the authority uses.
    static let tested: Set<ProfileDraft.Field> = [.authority, .certificates]

    /// Whether the authority was tested without failures. Only then do fields show a tick.
    package var isConfirmed: Bool { testFailure == nil && test?.findings != nil }

    private var testFailure: CheckFinding? { test?.findings?.first { $0.verdict == .failed } }

    /// What is known about a field. Nobody knows what an authority is before it was asked.
    func findings(of field: ProfileDraft.Field) -> [CheckFinding] {
        let own = judgement[field].flatMap { $0.verdict == .skipped ? nil : $0 }.map { [$0] } ?? []
        guard field == .authority, !isInvalid(field) else { return own }
        return (isConfirmed ? own : []) + (test?.findings ?? [])
    }

    /// Whether the field has a mistake that the user neither corrected nor accepted.
    func isWrong(_ field: ProfileDraft.Field) -> Bool { isInvalid(field) || field == .authority && isDoubtful }

    /// As far as it has been validated.
    private func isInvalid(_ field: ProfileDraft.Field) -> Bool {
        judging == nil && judgement[field]?.verdict == .failed
    }

    private var isDoubtful: Bool { testFailure != nil && !acceptsFailedTest }

    /// Whether the authority is untested, and its address valid or still being validated.
    var canBeTested: Bool { test == nil && !draft.authority.isEmpty && !isInvalid(.authority) }

    /// The visible fields. The CA file and the secret appear only if they matter.
    package var shownFields: [ProfileDraft.Field] {
        ProfileDraft.Field.allCases.filter { field in
            switch field {
            case .certificates:
                editedName != nil || focus == .certificates || fields[.certificates]?.isEmpty == false || isUntrusted
            case .clientSecret: kind?.hasSecrets == true
            case .authority, .clientID, .redirectURI, .scopes, .name: true
            }
        }
    }

    func told(_ field: ProfileDraft.Field) -> String {
        field == .clientSecret && !draft[field].isEmpty ? "entered" : draft[field]
    }

    private var isUntrusted: Bool {
        test?.findings?.contains(AuthorityFindings.untrustedCertificate.onScreen) == true
    }

    /// The profile that the form edits; nil for a new one.
    private var editedName: String? { if case .edit(let name) = purpose { name } else { nil } }

    /// After a failure, the cursor returns to the field that can fix it.
    package mutating func show(_ findings: [CheckFinding]) {
        test = .found(findings)
        guard testFailure != nil, focus == .authority || !isTyping else { return }
        focus = isUntrusted && fields[.certificates]?.isEmpty != false ? .certificates : .authority
    }

    private mutating func moveFocus(by step: Int, _ context: inout Context) -> Reaction {
        guard saving == nil else { return .none }
        if isWrong(focus) {
            context.notice = Notice(.warning, mistake(in: focus))
            return .none
        }
        return leave(to: shownFields.next(after: focus, by: step) ?? focus, &context)
    }

    private mutating func leave(to field: ProfileDraft.Field, _ context: inout Context) -> Reaction {
        let tests = Self.tested.contains(focus) && canBeTested
        left = judging == nil ? nil : focus
        focus = field
        return tests ? testAuthority(&context) : .none
    }

    private func mistake(in field: ProfileDraft.Field) -> String {
        if isMissing(field) { return "\(field.title) is missing." }
        if isInvalid(field) { return "\(field.title) is invalid." }
        return "The authority failed its test. Change it, or press Enter to go on."
    }

    package enum Layer: String, KeyLayer { case all = "Set up" }

    var waits: [Wait] {
        var waits = [judging, saving].compactMap(\.self).map { Wait($0, .leave) }
        // The authority's response is useless once the form is closed.
        if case .running(let id) = test { waits.append(Wait(id, .cancel)) }
        return waits
    }

    func title(_ context: Context) -> String {
        editedName.map { "Edit \($0)" } ?? "Set up \(kind?.title ?? "a profile")"
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        SetUpView(state: self, context: context).draw(on: &surface, in: rect)
    }

    static let commands: [Command] = [
        Command(
            "submit", [.enter], "Go to the next field. In the last one, save; if the profile is new, sign in.",
            hint: "next", hintNow: { state, _ in state.isInLastField ? state.saveLabel.lowercased() : nil },
            inLines: .absent, if: { $0.isInLastField ? $1.stillRemoving ?? .available : .available }
        ) { $0.saving == nil ? $0.submit(&$1) : .none },
        Command("nextField", [.tab, .down], "Go to the next field.", hint: "next field", inLines: .absent) {
            $0.moveFocus(by: 1, &$1)
        },
        Command("previousField", [.backTab, .up], "Go to the previous field.", inLines: .absent) {
            $0.moveFocus(by: -1, &$1)
        },
        Command(
            "askAuthority", [.control("t"), .function(5)], "Test the authority and show what it supports.",
            hint: "test", if: canTest
        ) { $0.saving == nil ? $0.testAuthority(&$1) : .none },
        help([.function(1)]),
        Command("back", [.escape], "Go back (asks before discarding changes).", hint: "back", group: .everywhere) {
            state, _ in .move(state.keeping ?? .leave)
        },
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

    private mutating func testAuthority(_ context: inout Context) -> Reaction {
        let id = context.makeEffectID()
        test = .running(id)
        return .start(.work(id, .profiles(.test(draft))))
    }

    mutating func submit(_ context: inout Context) -> Reaction {
        if isInvalid(focus) || isMissing(focus) {
            context.notice = Notice(.warning, mistake(in: focus))
            return .none
        }
        let all = shownFields
        guard let place = all.firstIndex(of: focus), place + 1 < all.count else { return save(&context) }
        return leave(to: all[place + 1], &context)
    }

    private func isMissing(_ field: ProfileDraft.Field) -> Bool {
        ProfileDraft.Field.questions.contains(field) && draft[field].isEmpty
    }

    /// Saves the profile once everything is validated and tested, or goes to the first field that prevents it.
    private mutating func save(_ context: inout Context) -> Reaction {
        isSubmitted = judging != nil
        guard !isSubmitted else { return .none }
        if let obstacle = judgement.firstObstacle {
            focus = obstacle
            context.notice = Notice(.warning, mistake(in: obstacle))
            return .none
        }
        // Of a new authority, or of one that was changed.
        if canBeTested && (purpose == .add || Self.tested.contains { fields[$0]?.text != original[$0] }) {
            isSubmitted = true
            return testAuthority(&context)
        }
        if case .running = test {
            isSubmitted = true
            return .none
        }
        if isDoubtful { return .open(.saveAnyway) }
        problem = nil
        return start(.save(draft, replacing: editedName), &context)
    }

    private mutating func start(_ work: ProfileWork, _ context: inout Context) -> Reaction {
        let id = context.makeEffectID()
        saving = id
        return .start(.work(id, .profiles(work)))
    }

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

    mutating func edit(_ field: TextField, _ context: inout Context) -> Reaction {
        let old = draft
        focused = field
        return draft == old ? .none : judge(&context)
    }

    fileprivate mutating func judge(_ context: inout Context) -> Reaction {
        let id = context.makeEffectID()
        judging = id
        return .start(.work(id, .profiles(.judge(draft))))
    }

    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction {
        switch word {
        case .discard: return .move(.leave)
        case .saveAnyway:
            acceptsFailedTest = true
            return save(&context)
        case .removeProfile, .profilesChanged, .closeDoor: return .none
        }
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .profiles(let result) = result else { return .none }
        switch result {
        case .judged(let judgement):
            judging = nil
            self.judgement = judgement
            if let takenName { self.judgement.findings[.name] = takenName }
            return goOn(&context)
        case .tested(let findings):
            show(findings)
            return goOn(&context)
        case .saved(nil):
            context.notice = Notice(.success, "Saved profile \(draft.name).")
            let isOther = editedName != nil && editedName != context.profile?.name
            return isOther ? .move(.close(.profilesChanged)) : openSaved(isNew: editedName == nil, &context)
        case .opened(.success(let profile)):
            return context.change(to: profile, then: signsInWhenOpened ? .signIn() : nil)
        case .saved(let report?), .opened(.failure(let report)): (saving, problem) = (nil, report)
        case .listed: break
        }
        return .none
    }

    /// The finding if another profile has the name. Saving would replace that one.
    private var takenName: CheckFinding? {
        guard taken.contains(draft.name) else { return nil }
        return CheckFinding(
            ProfileDraft.Field.name.title, .failed, "A profile \(draft.name) exists already.",
            fix: "Choose another name.")
    }

    mutating func goOn(_ context: inout Context) -> Reaction {
        if let left, isInvalid(left), !isTyping { focus = left }
        if judging == nil { left = nil }
        if isLeftInLines, judging == nil {
            isLeftInLines = false
            return canBeTested ? testAuthority(&context) : .none
        }
        return isSubmitted ? save(&context) : .none
    }

    /// Keeps the form open until the application exists, so that the user can fix what the library rejects.
    private mutating func openSaved(isNew: Bool, _ context: inout Context) -> Reaction {
        // The profile is in the file now, so saving again replaces it.
        purpose = .edit(draft.name)
        // A sign-in at an authority that failed its test must fail.
        signsInWhenOpened = (isNew || signsInWhenOpened) && testFailure == nil
        return start(.open(draft.name), &context)
    }
}

extension Destination {
    static func setUp(
        _ purpose: SetUpPurpose, _ draft: ProfileDraft, taken: [String], focus field: ProfileDraft.Field? = nil,
        signsIn: Bool = false
    ) -> Destination {
        Destination { context in
            var state = SetUpState(purpose, draft, taken: taken, focus: field)
            state.signsInWhenOpened = signsIn
            let effects = state.judge(&context).effects
            return Opening(state, effects)
        }
    }
}
