import TerminalUI

extension Destination {
    static let doors = Destination(DoorsState()) { _ in .doors(closing: nil) }
}

package struct DoorsState: ViewedScreen, HearingScreen, WorkingScreen {
    static var howToOpen: String { "List the open doors with \(Verb.doors.label)." }
    package enum Layer: String, KeyLayer { case all = "Doors" }

    /// The running look at the doors; those of the last one stay visible.
    package var running: EffectID?
    package var doors: [OpenDoor] = []
    var pane = ListPane()

    private static let columns = [
        TableColumn("DOOR", minimum: 10, ideal: 16, priority: 0),
        TableColumn("PROGRAM", minimum: 8, ideal: 16, priority: 3),
        TableColumn("PLACE", minimum: 16, ideal: 40, priority: 0, grows: true),
        TableColumn("OPEN SINCE", minimum: 10, ideal: 10, priority: 2),
        TableColumn("USE", minimum: 28, ideal: 40, priority: 1),
    ]

    func rows(_ context: Context) -> [OpenDoor] { doors }
    func place(_ context: Context) -> String { pane.place(of: doors.count) }

    func view(_ context: Context) -> Table {
        let empty = running == nil ? Self.nothing : "Looking for open doors."
        return pane.table(Self.columns, fitting: doors.map { cells($0, context) }, emptyText: empty)
    }

    private func cells(_ door: OpenDoor, _ context: Context) -> [Span] {
        [
            Span(door.kind.title),
            Span("\(door.program.isEmpty ? context.glyphs.dash : door.program) (\(door.process))"),
            Span(door.place),
            Span(String(Moment.local(door.openedAt, in: context.options.timeZone).dropFirst(11).prefix(8)), .muted),
            Span(use(door, context), door.rejected > 0 ? .warning : .muted),
        ]
    }

    static let nothing = "No doors are open: no program gets tokens from a running keyturn command."

    private func use(_ door: OpenDoor, _ context: Context) -> String {
        guard let last = door.lastRequestAt, let now = context.now else { return door.useInWords }
        return "\(door.useInWords), \(Moment.relative(last, to: max(now, last)))"
    }

    static let commands: [Command] =
        [
            Command(
                "closeDoor", .verb(.remove), "Close the selected door (asks first). Its program gets no more tokens.",
                hint: "close door", dangerous: true, inLines: .row,
                if: { Availability($0.selected($1) != nil, else: "No doors are open.") }
            ) { state, context in state.selected(context).map { .open(.doorQuestion($0)) } ?? .none },
            Command("readDoors", .verb(.again) + [.function(5)], "Look for doors again.", hint: "again") {
                $0.start(.doors(closing: nil), &$1)
            },
        ] + moving() + finding() + leaving("Close this view.")

    mutating func hear(_ word: Word, _ context: inout Context) -> Reaction {
        guard case .closeDoor(let door) = word else { return .none }
        return start(.doors(closing: door), &context)
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .doors(let found) = result else { return .none }
        doors = found
        pane.select(row: pane.selection, of: doors.count)
        return .none
    }

    func lines(_ context: Context) -> [String] {
        doors.isEmpty ? [Self.nothing] : ["\(Moment.count(doors.count, "open door")):"] + rowLines(context)
    }

    func label(_ door: OpenDoor, _ context: Context) -> String {
        let program = door.program.isEmpty ? "" : " of \(door.program)"
        let use = use(door, context)
        return "\(door.kind.title)\(program) to \(door.place), \(door.number)\(use.isEmpty ? "" : ": \(use)")"
    }
}
