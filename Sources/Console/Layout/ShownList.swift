import TerminalUI

/// A list as it is on the screen: where it stands, and which of its lines are in sight.
struct ShownList {
    let area: Rect
    /// The first line in sight, headings counted.
    let first: Int
    /// The row on each line in sight; nil: a heading.
    let rows: [Int?]

    init(area: Rect, first: Int, rows: [Int?]) {
        self.area = area
        self.first = first
        self.rows = rows
    }

    /// - Parameter row: which row a line of the table is; nil: a heading.
    init(_ table: Table, in rect: Rect, row: (_ line: Int) -> Int? = { $0 }) {
        let (body, lines) = table.place(in: rect)
        self.init(area: body, first: lines.lowerBound, rows: lines.map(row))
    }

    func row(at point: Point) -> Int? {
        let line = point.y - area.minY
        return area.contains(point) && rows.indices.contains(line) ? rows[line] : nil
    }
}

extension Model {
    /// The list that has the selection now.
    var shownList: ShownList? {
        guard Frame.fits(size) else { return nil }
        if case .palette(let state) = overlay { return PaletteView(state, self).shown }
        guard overlay == nil else { return nil }
        if let (list, opened) = inspectedExchange { return ExchangeView(list, opened, self).shown }
        if let inspector, let trace = inspected { return InspectorView(trace, inspector, self).shown }
        return switch routes.last {
        case .claims(let state): ClaimsView(state, self).shown
        case .signInForm(let form): SignInFormView(form, self).shown
        case .scenarios(let state): ScenariosView(state, self).shown
        case .providers(let choice): ProvidersView(choice, self).shown
        case .profiles(let state): ProfilesView(state, self).shown
        case .check(let state): CheckView(state, self).shown
        case .signIn, .silent, .setUp, .failure: nil
        case nil: profile == nil ? nil : AccountsView(self).shown
        }
    }

    /// The first line that was shown when the selection was last moved. A list moves no further than it has to.
    var listTop: Int { listTops[listFocus] ?? 0 }

    /// Keeps what is in sight now; a page moves as a whole, so that the selection stays where it is on the screen.
    mutating func keepInSight(_ list: ShownList, moving command: CommandID? = nil) {
        let height = list.area.height
        let distance =
            switch command {
            case .pageUp: -height
            case .pageDown: height
            case .halfPageUp: -height / 2
            case .halfPageDown: height / 2
            default: 0
            }
        let top = max(0, list.first + distance)
        listTops[listFocus] = top == 0 ? nil : top
    }

    private var listFocus: Focus {
        if case .palette = overlay { return .palette }
        return screenFocus == .filter ? .accounts : screenFocus
    }
}
