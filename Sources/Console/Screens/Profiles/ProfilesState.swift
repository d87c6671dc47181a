import MSAL
import TerminalUI

package struct ProfilesState: ViewedScreen, HearingScreen, WorkingScreen {
    static let closing = Wait.Closing.leave

    package private(set) var entries: [ProfileEntry] = []
    var pane = ListPane()
    /// Nothing else starts until it ends.
    package var running: EffectID?
    package var problem: Failure?
    package var isRead = false
    /// The profile whose form replaces the list once that is read, after an error.
    fileprivate var wanted: String?
    fileprivate var wantedField: ProfileDraft.Field?

    package init() {}

    package var selected: ProfileEntry? { entries[at: selection] }
    package var names: [String] { entries.map(\.name) }

    /// The selection stays on its profile; initially it's on the one in use.
    package mutating func replace(with entries: [ProfileEntry], inUse: String?) {
        let wanted = isRead ? selected?.name : inUse
        self.entries = entries
        isRead = true
        pane.select(row: entries.firstIndex { $0.name == wanted } ?? selection, of: entries.count)
    }

    static var howToOpen: String { "List the profiles with \(Verb.profiles.label)." }
    package enum Layer: String, KeyLayer { case all = "Profiles" }

    func rows(_ context: Context) -> [ProfileEntry] { entries }
    func view(_ context: Context) -> ProfilesView { ProfilesView(state: self, context: context) }

    static let commands: [Command] =
        [
            working(
                "useProfile", [.enter], "Switch to the selected profile.", hint: "use",
                if: { $1.stillRemoving ?? $0.hasProfile }
            ) { .open($0) },
            Command("addProfile", .verb(.more), "Add a profile.", hint: "add", if: { state, _ in state.isReady }) {
                state, _ in .open(.providers(taken: state.names))
            },
            Command(
                "editProfile", .verb(.edit), "Edit the selected profile.", hint: "edit",
                hintNow: { state, _ in state.problem == nil ? nil : "edit file" },
                sentenceNow: { state, _ in state.problem == nil ? nil : "Edit the configuration file in your editor." },
                inLines: .row, if: { state, _ in state.canEditFile ? .available : state.hasProfile }
            ) { state, context in
                if state.canEditFile { return state.start(.editConfiguration, &context) }
                return state.selected.map { .open(state.form(of: $0)) } ?? .none
            },
            working(
                "makeDefault", .verb(.makeDefault), "Make the selected profile the default.", hint: "default",
                if: { state, _ in
                    state.selected?.isDefault == true ? .unavailable("It's already the default.") : state.hasProfile
                }
            ) { .makeDefault($0) },
            Command(
                "removeProfile", .verb(.remove), "Remove the selected profile (asks first).",
                hint: "remove", dangerous: true, inLines: .row, if: canRemove
            ) { state, _ in state.selected.map { .open(.profileRemoval($0.name)) } ?? .none },
        ] + moving() + finding() + leaving(walks: false)

    /// Whether the file can't be read, so that only an editor helps.
    private var canEditFile: Bool { problem != nil && running == nil }

    private func form(of entry: ProfileEntry, focus: ProfileDraft.Field? = nil, signsIn: Bool = false) -> Destination {
        let others = names.filter { $0 != entry.name }
        return .setUp(.edit(entry.name), entry.draft, taken: others, focus: focus, signsIn: signsIn)
    }

    private static func working(
        _ name: CommandName, _ keys: [Key], _ sentence: String, hint: String,
        if availability: @escaping @Sendable (Self, Context) -> Availability,
        _ work: @escaping @Sendable (String) -> ProfileWork
    ) -> Command {
        Command(name, keys, sentence, hint: hint, inLines: .row, if: availability) { state, context in
            state.selected.map { state.work(work($0.name), &context) } ?? .none
        }
    }

    private var isReady: Availability {
        if running != nil { return .unavailable("Wait: reading or writing the configuration.") }
        return Availability(isRead, else: "Fix the configuration first.")
    }

    private var hasProfile: Availability {
        guard isReady == .available else { return isReady }
        return Availability(selected != nil, else: "No profiles yet; press \(Verb.more.label) to add one.")
    }

    private static func canRemove(_ state: ProfilesState, _ context: Context) -> Availability {
        guard let selected = state.selected else { return state.hasProfile }
        if state.entries.count == 1 { return .unavailable("It's the only profile. Edit it, or delete the file.") }
        return selected.name == context.profile?.name
            ? .unavailable("It's in use. Switch to another profile first.") : state.hasProfile
    }

    private mutating func work(_ work: ProfileWork, _ context: inout Context) -> Reaction {
        problem = nil
        return start(.profiles(work), &context)
    }

    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction {
        switch word {
        case .removeProfile(let name): work(.remove(name), &context)
        case .profilesChanged: work(.list, &context)
        case .discard, .saveAnyway, .closeDoor: .none
        }
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .edited(let report) = result {
            guard let report else { return work(.list, &context) }
            context.notice = Notice(.warning, report.paragraph)
        }
        guard case .profiles(let result) = result else { return .none }
        switch result {
        case .listed(.success(let entries)):
            replace(with: entries, inUse: context.profile?.name)
            guard let entry = entries.first(where: { $0.name == wanted }) else { return .none }
            return .move(.replace(form(of: entry, focus: wantedField, signsIn: true)))
        case .opened(.success(let profile)): return context.change(to: profile)
        case .listed(.failure(let report)), .opened(.failure(let report)): problem = report
        case .judged, .tested, .saved: break
        }
        return .none
    }

    func lines(_ context: Context) -> [String] {
        if let problem { return ["Profiles."] + problem.lines }
        return ["Profiles in \(context.configPath):"] + rowLines(context)
    }

    func label(_ entry: ProfileEntry, _ context: Context) -> String {
        let marks = ProfilesView(state: self, context: context).marks(of: entry)
        return [entry.name, entry.draft.authority, marks].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension Destination {
    static let profiles = Destination(ProfilesState()) { _ in .profiles(.list) }

    /// The form of a profile, with the cursor in a field. Saving it signs in.
    static func profileForm(_ name: String, focus: ProfileDraft.Field?) -> Destination {
        var state = ProfilesState()
        (state.wanted, state.wantedField) = (name, focus)
        return Destination(state) { _ in .profiles(.list) }
    }
}

struct ProfilesView: ListView {
    private static let columns = [
        TableColumn("NAME", minimum: 12, ideal: 18, priority: 0),
        TableColumn("", minimum: 7, ideal: 15, priority: 1),
        TableColumn("AUTHORITY", minimum: 20, ideal: 44, priority: 2, grows: true, keepsBothSides: true),
        TableColumn("CLIENT ID", minimum: 16, ideal: 36, priority: 3, grows: true),
    ]

    let state: ProfilesState
    @Boxed var context: Context

    private func areas(in body: Rect) -> (rest: Rect, bottom: Rect) {
        body.splitBottom(min(noteLines(body.width - 2).count, max(0, body.height - 3)))
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let (list, note) = areas(in: body)
        table.draw(on: &surface, in: list)
        ScrollingText(noteLines(body.width - 2)).draw(on: &surface, in: note)
    }

    private var table: Table {
        state.pane.table(Self.columns, fitting: state.entries.map(cells), emptyText: emptyText)
    }

    private func cells(_ entry: ProfileEntry) -> [Span] {
        [Span(entry.name), Span(marks(of: entry), .accent)]
            + [entry.draft.authority, entry.draft.clientID].map { Span($0, .muted) }
    }

    func shown(in body: Rect) -> ShownList? { ShownList(table, in: areas(in: body).rest) }

    func marks(of entry: ProfileEntry) -> String {
        // The demo's profile isn't in the file, but can have the same name.
        let isInUse = entry.name == context.profile?.name && context.profile?.isDemo == false
        return [isInUse ? "in use" : nil, entry.isDefault ? "default" : nil].compactMap(\.self).joined(separator: ", ")
    }

    private var emptyText: String {
        if state.problem != nil { return "Can't read the profiles." }
        return state.isRead ? "No profiles yet. Press \(Verb.more.label) to add one." : "Reading the configuration."
    }

    private func noteLines(_ width: Int) -> [StyledLine] {
        if let problem = state.problem {
            let edit = "Press \(Verb.edit.label) to edit the file in your editor. It is then read again."
            return [.empty] + StyledLine.problem(problem, width: width, glyphs: context.glyphs)
                + StyledLine.wrap(edit, to: width)
        }
        return [.empty] + StyledLine.wrap("File: \(context.configPath)", to: width, style: .muted)
    }
}
