import Diagnosis
import MSAL
import TerminalUI

extension Destination {
    static func requestEdits(_ flow: EffectID, of parameter: String?) -> Destination {
        Destination(EditState(flow: flow, parameter: parameter))
    }
}

/// The list of changes to a held request: those with a lesson, then those of the selected parameter.
struct EditState: ViewedScreen {
    enum Layer: String, KeyLayer { case all = "Change the request" }

    enum Choice: Sendable, Equatable {
        case what(WhatIf)
        /// A value to type, for a new parameter if it has no name.
        case typed(String?)
    }

    static let cover = Cover.watching

    let flow: EffectID
    let parameter: String?
    var pane = ListPane()

    func rows(_ context: Context) -> [Choice] {
        let lessons = context.held[flow]?.request.map(WhatIf.fitting) ?? []
        let own: [MSALRequestEdit] = parameter.map { [.leaveOut($0), .alter($0)] } ?? []
        let first = lessons.filter { what in what.edits.contains { $0.parameter == parameter } }
        return (first + lessons.filter { !first.contains($0) }).map(Choice.what)
            + own.map { .what(WhatIf($0)) } + [parameter.map { .typed($0) }, .typed(nil)].compactMap(\.self)
    }

    func label(_ choice: Choice, _ context: Context) -> String {
        switch choice {
        case .what(let what): what.source.isEmpty ? what.title : "\(what.title): \(what.lesson) (\(what.source))"
        case .typed(.some): "Type another value"
        case .typed(nil): "Type name=value"
        }
    }

    private static let columns = [
        TableColumn("CHANGE", minimum: 22, ideal: 28, priority: 0),
        TableColumn("WHAT FOLLOWS", minimum: 20, ideal: 80, priority: 0, grows: true),
        TableColumn("SECTION", minimum: 16, ideal: 28, priority: 1),
    ]

    func view(_ context: Context) -> SelectedLines {
        var lines = SelectedLines(pane, width: context.frame.body.width, glyphs: context.glyphs)
        lines.appendHeading(Self.columns)
        for choice in rows(context) {
            let what: WhatIf? = if case .what(let what) = choice { what } else { nil }
            let title = what.map { Printable.sanitize($0.title) } ?? label(choice, context)
            lines.append([Span(title)] + [what?.lesson, what?.source].map { Span($0 ?? "", .muted) }, Self.columns)
        }
        return lines
    }

    private func areas(_ body: Rect) -> (list: Rect, rule: Rect, details: Rect) {
        body.splitDetails(rows: body.height >= 9 ? 4 : 2)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        let areas = areas(rect)
        view(context).draw(on: &surface, in: areas.list)
        surface.drawRule(in: areas.rule)
        let details = selected(context).map(details) ?? ""
        ScrollingText.wrapping(Printable.sanitize(details), in: areas.details).draw(on: &surface, in: areas.details)
    }

    func shown(_ context: Context) -> ShownList? { view(context).shown(in: areas(context.frame.body).list) }

    private func details(_ choice: Choice) -> String {
        switch choice {
        case .what(let what): [what.lesson, what.source].filter { !$0.isEmpty }.joined(separator: " ")
        case .typed(let name?): "A value of your own for \(name), the selected parameter of the request."
        case .typed(nil): "A parameter that the request doesn't have, or another value, for example prompt=login."
        }
    }

    static let commands: [Command] =
        [
            Command("chooseChange", [.enter], "Make this change.", hint: "change", inLines: .row) { state, context in
                switch state.selected(context) {
                case .what(let what):
                    context.held[state.flow]?.change(what)
                    return .move(.close())
                case .typed(let name): return .move(.replace(.requestEntry(state.flow, name)))
                case nil: return .none
                }
            }
        ] + moving() + finding() + leaving("Close this view.", walks: false)
}

extension Destination {
    fileprivate static func requestEntry(_ flow: EffectID, _ name: String?) -> Destination {
        Destination { context in
            let old = context.held[flow]?.request?.exchange.parameters.first { $0.name == name }
            // A secret is never shown, also not to be changed.
            let text = old.map { $0.isRedacted ? "" : $0.value } ?? ""
            return Opening(EditEntry(flow: flow, name: name, entry: DialogField(text)))
        }
    }
}

struct EditEntry: EntryScreen {
    enum Layer: String, KeyLayer { case all = "Type a value" }

    let flow: EffectID
    /// The parameter; nil to type its name too.
    let name: String?
    var entry: DialogField

    func message(_ context: Context) -> String {
        name.map { "Value of \(Printable.sanitize($0)) in this request:" } ?? "Parameter and value, as name=value:"
    }

    static let commands: [Command] = [
        Command("changeValue", [.enter], "Use this value.", hint: "change", inLines: .absent) {
            $0.change($0.entry.text, &$1)
        },
        back("Go back without a change.", hint: "back"), interrupt,
    ]

    private func change(_ text: String, _ context: inout Context) -> Reaction {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = name ?? (parts.count == 2 ? parts[0] : nil), !name.isEmpty else {
            context.notice = Notice(.warning, "Enter a name, an equals sign and the value, such as prompt=login.")
            return .none
        }
        let edit = MSALRequestEdit.replace(name, with: self.name == nil ? parts.last ?? "" : text)
        if let problem = context.held[flow]?.request?.problem(of: edit) {
            context.notice = Notice(.warning, problem)
            return .none
        }
        context.held[flow]?.change(WhatIf(edit))
        return .move(.close())
    }

    func question(_ context: Context) -> LineQuestion? { LineQuestion(prompt: message(context)) }
    func reply(_ text: String, _ context: inout Context) -> Reaction { change(text, &context) }
}
