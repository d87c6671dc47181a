import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// A sign-in with a device code: address, code, expiry and steps, with a QR code if it fits.
struct DeviceCodeView {
    let pending: PendingSignIn
    @Boxed var context: Context

    /// The narrowest text beside the picture; the code must stay readable.
    private static let narrowestText = 24

    func draw(on surface: inout Surface, in body: Rect) {
        guard let (picture, quiet) = picture(in: body.size) else { return drawText(on: &surface, in: body) }
        let (left, right) = body.splitRight(picture.size(quiet: quiet).width)
        picture.draw(quiet: quiet, on: &surface, in: right)
        drawText(on: &surface, in: left.splitRight(Self.gap).rest)
    }

    private static let gap = 2

    /// The picture with a full quiet zone, half of it or none. To fit, the quiet zone shrinks first, then the URL wraps.
    private func picture(in size: Size) -> (AddressPicture, quiet: Int)? {
        guard let shown = pending.deviceCode, let code = shown.picture else { return nil }
        let picture = AddressPicture(code, isASCII: context.options.ascii)
        let address = max(DisplayWidth.of(shown.code.verificationURL.absoluteString), Self.narrowestText) + Self.gap
        let half = QRCode.quietZone / 2
        let choices = [(QRCode.quietZone, address), (half, address), (half, Self.narrowestText + Self.gap)]
        return picture.quiet(in: size, choices: choices).map { (picture, $0) }
    }

    private func drawText(on surface: inout Surface, in rect: Rect) {
        let choices = pending.steps(context).choices(width: rect.width)
        let instruction =
            [true, false].lazy.map { instructionLines(rect.width, isRoomy: $0) }
            .first { $0.count + (choices.last?.count ?? 0) < rect.height }
            ?? tightLines(rect.width - ScrollingText.margin)
        let rest = rect.height - instruction.count
        let steps = choices.first { $0.count + 1 <= rest } ?? []
        let shown = instruction + (steps.isEmpty ? [] : [.empty]) + steps
        let hints = hintChoices(rect.width).first { shown.count + $0.count <= rect.height } ?? []
        ScrollingText(shown + hints).draw(on: &surface, in: rect)
        surface.link = pending.deviceCode?.code.verificationURL.absoluteString
        let code = instruction.firstIndex { $0.spans.contains { $0.text == pending.deviceCode?.code.userCode } } ?? 0
        let row = min(code, max(0, rect.height - 1))
        surface.cursor = Surface.Cursor(rect.row(row).origin, isVisible: false)
    }

    /// What to do, in three steps. The address isn't indented, so that selecting it with the mouse adds no spaces.
    private func instructionLines(_ width: Int, isRoomy: Bool) -> [StyledLine] {
        guard let code = pending.deviceCode?.code else { return [] }
        let isHere = TypedAuthority(code.verificationURL.absoluteString).isThisComputer
        let gap: [StyledLine] = isRoomy ? [.empty] : []
        return StyledLine.step(1, isHere ? "On this computer, open" : "On any device, open", width: width)
            + StyledLine.wrap(code.verificationURL.absoluteString, to: width, style: .link) + gap
            + StyledLine.step(2, "Enter this code:", width: width) + box(code.userCode) + [timeLeft(code)] + gap
            + StyledLine.step(3, "Sign in there, but only if you started this.", width: width)
    }

    private func box(_ code: String) -> [StyledLine] {
        let (glyphs, margin) = (context.glyphs, String(repeating: " ", count: 3))
        let edge = String(repeating: glyphs.horizontal, count: DisplayWidth.of(code) + 2 * margin.count)
        return [
            StyledLine("   \(glyphs.topLeft)\(edge)\(glyphs.topRight)", .accent),
            StyledLine([
                Span("   \(glyphs.vertical)\(margin)", .accent), Span(code, Style(.title, .bold)),
                Span("\(margin)\(glyphs.vertical)", .accent),
            ]),
            StyledLine("   \(glyphs.bottomLeft)\(edge)\(glyphs.bottomRight)", .accent),
        ]
    }

    /// The instructions for a low window: the code first, because the address can be copied.
    private func tightLines(_ width: Int) -> [StyledLine] {
        guard let code = pending.deviceCode?.code else { return [] }
        return [StyledLine(code.userCode, Style(.title, .bold)), timeLeft(code)]
            + StyledLine.wrap("Enter it at", to: width)
            + StyledLine.wrap(code.verificationURL.absoluteString, to: width, style: .link)
    }

    private func timeLeft(_ code: MSALDeviceCode) -> StyledLine {
        let seconds = Int(max(0, code.expiresOn.timeIntervalSince(context.now ?? code.expiresOn)).rounded(.up))
        return StyledLine("Code expires in \(Moment.countdown(seconds))", seconds < 60 ? .warning : .muted)
    }

    private func hintChoices(_ width: Int) -> [[StyledLine]] {
        let userHints = (context.profile?.hints ?? []).flatMap {
            StyledLine.preformatted($0, width: width, style: .muted)
        }
        let line = pending.deviceCode.flatMap { context.proposal.portForwarding(page: $0.code.verificationURL) }
        let forwarding = line.map {
            [.empty] + StyledLine.wrap("Over ssh, run this on your own machine first:", to: width, style: .muted)
                + StyledLine.wrap($0, to: width)
        }
        return [(forwarding ?? []) + (userHints.isEmpty ? [] : [.empty] + userHints), forwarding ?? []]
    }
}
