import Foundation
import MSAL
import TerminalUI

/// A running flow: its steps, and for a sign-in the address to open.
struct FlowView {
    let pending: PendingSignIn
    @Boxed var context: Context
    var isInteractive = true

    var progress: FlowProgress { pending.progress }
    var method: SignInMethod { pending.method }
    private var paste: PasteLine { pending.paste }

    func draw(on surface: inout Surface, in body: Rect) {
        let problem =
            paste.problem.map {
                StyledLine.wrap("\(context.glyphs.cross) \($0)", to: max(1, body.width), style: .danger)
            } ?? []
        let invitation = invitationLines(width: body.width, isRoomy: body.height >= 16)
        let (body, entry) = body.splitBottom(paste.text == nil ? 0 : invitation.count + 1 + problem.count)
        let picture = pending.picture.map { AddressPicture($0, isASCII: context.options.ascii) }
        if let picture, let quiet = picture.quiet(in: body.size, choices: [(Self.quiet, Self.narrowestText + 2)]) {
            let (left, right) = body.splitRight(picture.size(quiet: quiet).width)
            picture.draw(quiet: quiet, on: &surface, in: right)
            let room = left.splitRight(2).rest
            drawText(on: &surface, in: room, full: room)
        } else {
            // The address runs from edge to edge, so that selecting it with the mouse adds no spaces.
            let full = Rect(x: 0, y: body.minY, width: surface.size.width, height: body.height)
            drawText(on: &surface, in: body, full: full)
        }
        guard let pasted = paste.text else { return }
        let (top, below) = entry.splitTop(invitation.count)
        ScrollingText(invitation).draw(on: &surface, in: top)
        drawEntry(pasted, on: &surface, in: below)
        ScrollingText(problem).draw(on: &surface, in: below.splitTop(1).rest)
    }

    /// Half a quiet zone, because the address is long and the picture large.
    private static let quiet = QRCode.quietZone / 2

    private func drawText(on surface: inout Surface, in room: Rect, full: Rect) {
        let plan = FlowPlan(
            steps: pending.steps(context).choices(width: room.width),
            hints: isInteractive ? hints(width: room.width) : forwarding(width: room.width),
            keepsHints: context.profile?.hints.isEmpty == false, heading: headingLines(width: full.width),
            address: progress.authorizationURL
                .map { StyledLine.wrap($0.absoluteString, to: full.width, style: .link) } ?? [],
            height: room.height, note: moreLines)
        let (top, rest) = room.splitTop(plan.above.count)
        ScrollingText(plan.above).draw(on: &surface, in: top)
        ScrollingText(plan.below).draw(
            on: &surface, in: Rect(x: full.minX, y: rest.minY, width: full.width, height: rest.height))
        surface.link = progress.authorizationURL?.absoluteString
        let running = plan.above.firstIndex { $0.spans.first?.style == .accent } ?? 0
        surface.cursor = Surface.Cursor(room.row(running).origin, isVisible: false)
    }

    private static let narrowestText = 44

    private func drawEntry(_ text: String, on surface: inout Surface, in rect: Rect) {
        let room = rect.row(0)
        let edge = surface.writeLine(
            Self.covered(text, bullet: surface.glyphs.bullet), in: room.splitRight(1).rest,
            style: Style(.text, .underline))
        surface.cursor = Surface.Cursor(Point(x: edge, y: room.minY))
    }

    /// The typed address with its query hidden, because the query contains the authorization code.
    private static func covered(_ text: String, bullet: String) -> String {
        // Counts bytes, because counting characters of a long text is slow. Addresses are ASCII.
        let address = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let shown = address.contains(UInt8(ascii: "/")) ? Printable.sanitize(String(Substring(address))) : ""
        let count = text.utf8.count
        let hidden = count - shown.utf8.count
        guard hidden > 0 else { return shown }
        return "\(shown)\(String(repeating: bullet, count: min(12, hidden))) (\(Moment.count(count, "character")))"
    }

    /// What to do after the page was opened. In a low window, only the last part.
    private func invitationLines(width: Int, isRoomy: Bool) -> [StyledLine] {
        let parts = [
            "Sign in. The last page will say it can't be reached: that is right.",
            "Copy its address and paste it here:",
        ]
        return (isRoomy ? [0, 1] : [1]).flatMap { StyledLine.step($0 + 2, parts[$0], width: width) }
    }

    private func headingLines(width: Int) -> [StyledLine] {
        let isFirst = method == .paste || paste.text != nil
        return [.empty]
            + StyledLine.step(
                isFirst ? 1 : nil, isFirst ? "Open this page in any browser:" : "If no browser opens, open this page:",
                width: width - 2
            ).map { StyledLine([Span(" ")] + $0.spans) }
    }

    private func moreLines(_ count: Int) -> StyledLine {
        StyledLine([
            Span(" \(context.glyphs.ellipsis) \(count) more lines; ", .muted), Span(Verb.copyValue.label, .key),
            Span(" copies all", .muted),
        ])
    }
}

extension StyledLine {
    static func step(_ number: Int?, _ text: String, width: Int) -> [StyledLine] {
        guard let number else { return wrap(text, to: max(1, width), style: .muted) }
        let lines = wrap(text, to: max(1, width - 3))
        return lines.enumerated().map { row, line in
            StyledLine([Span(row == 0 ? "\(number)  " : "   ", Style(.title, .bold))] + line.spans)
        }
    }
}

/// Hints for the user while a sign-in waits for them.
extension FlowView {
    /// The seconds without a response after which other sign-in methods are offered.
    private static let patience = 15.0
    /// The seconds without a response after which the redirect URI may be the reason.
    private static let longPatience = 30.0

    func hints(width: Int) -> [StyledLine] {
        let told = (context.profile?.hints ?? []).flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
        return [told, registration(width)].filter { !$0.isEmpty }.flatMap { [.empty] + $0 }
            + forwarding(width: width) + others(width)
    }

    /// The redirect URI to register, after a while without a response. Not for the demo, whose authority accepts any.
    private func registration(_ width: Int) -> [StyledLine] {
        // A page that the user changed can be rejected for that.
        guard waits(Self.longPatience), !progress.hasVisitor, context.changesOfLastFlow == nil,
            context.profile?.isDemo != true,
            let registration = progress.authorizationURL.flatMap({
                RedirectRegistration(page: $0, fixesPort: context.profile?.fixesPort == true)
            })
        else { return [] }
        return registration.lines.flatMap { line in
            line.hasPrefix(" ")
                ? StyledLine.wrap(registration.redirectURI, to: max(1, width - 2), style: .text).map(\.indented)
                : wrapped(line, width)
        }
    }

    private var waiting: FlowProgress.Step? { progress.current.flatMap { $0.step == .waitForResponse ? $0 : nil } }
    private func waits(_ seconds: Double = 0) -> Bool {
        waiting.map { $0.duration(by: context.now) ?? 0 >= seconds } == true
    }

    /// Over ssh: the command that forwards the user's browser to the listener.
    func forwarding(width: Int) -> [StyledLine] {
        guard waits(), method == .browser, context.proposal.best != .browser,
            let page = progress.authorizationURL,
            let line = context.proposal.portForwarding(page: page, redirectPort: progress.redirectPort)
        else { return [] }
        return [.empty] + wrapped("Over ssh, run this on your own machine, then open the page there:", width)
            + StyledLine.wrap(line, to: max(1, width - 2), style: .text).map(\.indented)
    }

    /// The other sign-in methods, offered after a while without a response. A device code starts a new sign-in.
    private func others(_ width: Int) -> [StyledLine] {
        guard waits(Self.patience), method == .browser else { return [] }
        let paste = "Press \(Verb.paste.label) to paste another browser's final URL."
        let code = "Press \(Verb.deviceCode.label) to use a device code instead."
        let isOffered = pending.offersMethods && context.proposal.obstacle(to: .device) == nil
        return [.empty] + wrapped(isOffered ? "\(paste) \(code)" : paste, width)
    }

    private func wrapped(_ text: String, _ width: Int) -> [StyledLine] {
        StyledLine.wrap(text, to: max(1, width - 2), style: .muted)
    }
}

/// A sign-in that waits for the user, as all screens show it: URL, code, QR code, ssh line, paste field, other methods.
struct PendingSignIn {
    var progress: FlowProgress
    var method: SignInMethod
    var rejections: [SignInRejection] = []
    var deviceCode: ShownDeviceCode?
    /// The page's address as a QR code, for methods that use another browser.
    var pagePicture: QRCode?
    var paste = PasteLine()
    var offersMethods = true
    var showsSteps = true

    var picture: QRCode? { deviceCode?.picture ?? (method == .paste ? pagePicture : nil) }

    func steps(_ context: Context) -> StepList {
        StepList(steps: progress.steps, method: method, context: context, rejections: rejections, showsAll: showsSteps)
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        if method == .device {
            DeviceCodeView(pending: self, context: context).draw(on: &surface, in: rect)
        } else {
            FlowView(pending: self, context: context).draw(on: &surface, in: rect)
        }
    }
}
