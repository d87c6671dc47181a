import TerminalUI

/// A running flow: its steps, and for a sign-in the address that the person can open by hand.
struct FlowView {
    private let model: Model
    private let progress: FlowProgress
    private let isInteractive: Bool
    private let way: SignInWay
    private let pasted: String?

    init(_ state: SignInState, _ model: Model) {
        self.model = model
        progress = state.progress
        isInteractive = true
        way = state.way
        pasted = state.pasted
    }

    init(_ state: SilentState, _ model: Model) {
        self.model = model
        progress = state.progress
        isInteractive = false
        way = .browser
        pasted = nil
    }

    func draw(on surface: inout Surface, in body: Rect) {
        // The address runs from edge to edge, so that marking it with the mouse takes up no blanks.
        let width = surface.size.width
        let (body, entry) = body.splitBottom(pasted == nil ? 0 : 2)
        let address = addressLines(width: width)
        let steps = fittingSteps(
            body.size, beside: address.isEmpty ? 0 : address.count + headingLines(width: width).count)
        let (top, rest) = body.splitTop(steps.count)
        ScrollingText(steps).draw(on: &surface, in: top)
        drawAddress(on: &surface, in: Rect(x: 0, y: rest.minY, width: width, height: rest.height))
        let running = steps.firstIndex { $0.spans.first?.style == .accent } ?? 0
        surface.cursor = Surface.Cursor(body.row(running).origin, isVisible: false)
        if let pasted { drawEntry(pasted, on: &surface, in: entry) }
    }

    private func drawEntry(_ text: String, on surface: inout Surface, in rect: Rect) {
        surface.writeLine(Self.pasteInvitation, in: rect.row(0), style: .muted)
        let room = rect.row(1)
        let end = surface.writeLine(
            Self.covered(text, bullet: surface.glyphs.bullet), in: room.splitRight(1).rest,
            style: Style(.text, .underline))
        surface.cursor = Surface.Cursor(Point(x: end, y: room.minY))
    }

    /// What is typed holds the code, which nobody who looks over a shoulder needs to see: the address is shown up to its
    /// query, of the rest how long it is.
    private static func covered(_ text: String, bullet: String) -> String {
        let address = text.prefix { $0 != "?" && $0 != "#" }
        let shown = address.contains("/") ? String(address) : ""
        guard shown.count < text.count else { return shown }
        let bullets = String(repeating: bullet, count: min(12, text.count - shown.count))
        return "\(shown)\(bullets) (\(text.count) characters)"
    }

    private static let pasteInvitation = "The address that the browser ended on:"

    /// The fullest account of the steps that leaves the address its room.
    private func fittingSteps(_ size: Size, beside address: Int) -> [StyledLine] {
        let choices = StepList(steps: progress.steps, way: way, model: model).choices(width: size.width)
        // What helps a newcomer sign in comes before the details of what is done.
        for hints in [hintLines(size.width), []] {
            if let lines = choices.dropLast().first(where: { $0.count + hints.count + address <= size.height }) {
                return lines + hints
            }
        }
        return choices.last ?? []
    }

    private func hintLines(_ width: Int) -> [StyledLine] {
        guard isInteractive, let profile = model.profile else { return [] }
        if !profile.hints.isEmpty {
            return [.empty] + profile.hints.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
        }
        guard progress.current?.step == .waitForResponse else { return [] }
        return [.empty] + StyledLine.wrap(Self.stuckAdvice, to: max(1, width - 2), style: .muted)
    }

    /// An authority that does not know the application says so in the browser and sends nothing back (RFC 6749 §4.1.2.1).
    private static let stuckAdvice =
        "If the browser shows an error instead of a sign-in page: Esc, then check the client ID and the redirect URI "
        + "at the authority."

    private func headingLines(width: Int) -> [StyledLine] {
        let heading =
            way == .paste
            ? "Open this page in any browser, then paste here the address that it ends on:"
            : "If no browser opens, open this page yourself:"
        return [.empty]
            + StyledLine.wrap(heading, to: max(1, width - 2), style: .muted).map { StyledLine([Span(" ")] + $0.spans) }
    }

    private func addressLines(width: Int) -> [StyledLine] {
        progress.authorizationURL.map { StyledLine.wrap($0.absoluteString, to: width, style: .link) } ?? []
    }

    private func drawAddress(on surface: inout Surface, in rect: Rect) {
        let lines = addressLines(width: rect.width)
        guard !lines.isEmpty else { return }
        let heading = headingLines(width: rect.width)
        if heading.count + lines.count <= rect.height {
            ScrollingText(heading + lines).draw(on: &surface, in: rect)
        } else if lines.count <= rect.height {
            // Without its heading it still fits.
            ScrollingText(lines).draw(on: &surface, in: rect)
        } else {
            let kept = lines.prefix(max(0, rect.height - 1))
            let note = StyledLine(" \(lines.count - kept.count) more lines: make the window larger.", .warning)
            ScrollingText(kept + [note]).draw(on: &surface, in: rect)
        }
    }
}
