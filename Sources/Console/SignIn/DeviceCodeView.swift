import AuthEngine
import Foundation
import TerminalUI

/// A sign-in with a code: where to go, what to enter, how long there is, the address as a picture where it fits, and the
/// steps.
struct DeviceCodeView {
    private let state: SignInState
    private let model: Model

    init(_ state: SignInState, _ model: Model) {
        self.state = state
        self.model = model
    }

    /// Beside a narrower text the picture would help nobody: the code must be readable.
    private static let narrowestText = 24

    func draw(on surface: inout Surface, in body: Rect) {
        let picture = pictureLines(in: body.size)
        let width = picture.first.map(DisplayWidth.of) ?? 0
        let (left, right) = body.splitRight(width)
        for (row, line) in picture.enumerated() {
            surface.write(line, at: right.row(row).origin, in: right, style: .picture)
        }
        drawText(on: &surface, in: width == 0 ? body : left.splitRight(2).rest)
    }

    /// The picture with all the light around it that it should have, else with half of it, else none. An address that
    /// stays in one piece is worth more than the light, the picture more than that.
    private func pictureLines(in size: Size) -> [String] {
        guard let shown = state.deviceCode, let picture = shown.picture else { return [] }
        let address = DisplayWidth.of(shown.code.verificationURL.absoluteString)
        let half = QRCode.quietZone / 2
        for (quiet, text) in [(QRCode.quietZone, address), (half, address), (half, Self.narrowestText)] {
            let lines =
                model.options.ascii ? picture.asciiLines(quietZone: quiet) : picture.halfBlockLines(quietZone: quiet)
            let width = lines.first.map(DisplayWidth.of) ?? 0
            if lines.count <= size.height, width + 2 + max(text, Self.narrowestText) <= size.width { return lines }
        }
        return []
    }

    private func drawText(on surface: inout Surface, in rect: Rect) {
        let full = instructionLines(rect.width)
        let instruction = full.count <= rect.height ? full : tightLines(rect.width - ScrollingText.margin)
        let rest = rect.height - instruction.count
        let list = StepList(
            steps: state.progress.steps, way: .device, model: model, refusals: state.refusals)
        let choices = list.choices(width: rect.width)
        let steps = choices.first { $0.count + 1 <= rest } ?? []
        let hints = hintLines(rect.width)
        let shown = instruction + (steps.isEmpty ? [] : [.empty]) + steps
        ScrollingText(shown + (shown.count + hints.count <= rect.height ? hints : [])).draw(on: &surface, in: rect)
        let row = min(codeRow(instruction), max(0, rect.height - 1))
        surface.cursor = Surface.Cursor(rect.row(row).origin, isVisible: false)
    }

    private func instructionLines(_ width: Int) -> [StyledLine] {
        guard let code = state.deviceCode?.code else { return [] }
        return StyledLine.wrap("On any device, open", to: width)
            + StyledLine.wrap(code.verificationURL.absoluteString, to: width, style: .link)
            + StyledLine.wrap("and enter", to: width)
            + [StyledLine(code.userCode, Style(.title, .bold)), timeLeft(code)]
    }

    /// The same where it does not fit: the code first, for the address can be copied.
    private func tightLines(_ width: Int) -> [StyledLine] {
        guard let code = state.deviceCode?.code else { return [] }
        return [StyledLine(code.userCode, Style(.title, .bold)), timeLeft(code)]
            + StyledLine.wrap("Enter it on any device at", to: width)
            + StyledLine.wrap(code.verificationURL.absoluteString, to: width, style: .link)
    }

    private func timeLeft(_ code: MSALDeviceCode) -> StyledLine {
        let seconds = Int(max(0, code.expiresOn.timeIntervalSince(model.now ?? code.expiresOn)).rounded(.up))
        return StyledLine("It ends in \(Moment.countdown(seconds)).", seconds < 60 ? .warning : .muted)
    }

    private func codeRow(_ lines: [StyledLine]) -> Int {
        lines.firstIndex { $0.spans.first?.text == state.deviceCode?.code.userCode } ?? 0
    }

    private func hintLines(_ width: Int) -> [StyledLine] {
        guard let profile = model.profile, !profile.hints.isEmpty else { return [] }
        return [.empty] + profile.hints.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
    }
}
