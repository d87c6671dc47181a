import Diagnosis
import Foundation
import TerminalUI

/// Plays a scenario with its scripted user, by the user's key. For the tour, recordings, exports and repeated steps.
package struct WalkPlayer: Sendable {
    private let opened: OpenedScenario
    private let options: ProgramOptions
    private let size: Size
    private let now: @Sendable () -> Date

    package init(
        _ opened: OpenedScenario, options: ProgramOptions = ProgramOptions(),
        size: Size = Size(width: 80, height: 24), now: @escaping @Sendable () -> Date
    ) {
        var opened = opened
        opened.profile.walk?.isScripted = true
        // Its steps follow each other at once, so it never opens the scenario again.
        opened.profile.walk?.name = nil
        (self.opened, self.options, self.size, self.now) = (opened, options, size, now)
    }

    /// Plays the steps, or up to one with an unexpected outcome. Returns the model at the end.
    /// - Parameter onFrame: receives each frame with the seconds that it's shown. Frames depend on the content of
    ///   the flow, not on its speed, so that every run has the same ones.
    /// - Parameter onStep: receives the model before the first step, and after each one.
    package func play(
        steps: Int = .max, onFrame: ((Surface, Double) -> Void)? = nil, onStep: (Model) -> Void = { _ in }
    ) async -> Model {
        let mailbox = Mailbox()
        let runner = EffectRunner(nil, scenario: opened, now: now)
        var model = Model(.scenario(opened), options: options, size: size)
        mailbox.post(.started)
        for await message in mailbox.messages {
            for effect in update(&model, message) { runner.perform(effect, mailbox: mailbox) }
            // A step without an effect is done at once.
            while model.hasSettled, goOn(&model, steps, runner, mailbox, onFrame, onStep) {}
            if model.hasSettled { break }
        }
        mailbox.close()
        await runner.finish()
        return model
    }

    /// Shows the last step and starts the next one; returns false at the end.
    private func goOn(
        _ model: inout Model, _ steps: Int, _ runner: EffectRunner, _ mailbox: Mailbox,
        _ onFrame: ((Surface, Double) -> Void)?, _ onStep: (Model) -> Void
    ) -> Bool {
        if let onFrame { show(&model, onFrame) }
        onStep(model)
        guard let walk = model.context.walk, walk.next != nil, walk.stop == nil, walk.done < steps else { return false }
        // Without frames, the rest of the flow is shown at once.
        if model.context.isPlaying { _ = update(&model, .command("walkOn")) }
        for effect in update(&model, .command("walkOn")) { runner.perform(effect, mailbox: mailbox) }
        return true
    }

    private func show(_ model: inout Model, _ onFrame: (Surface, Double) -> Void) {
        while model.context.isPlaying {
            onFrame(view(model, size), Playback.secondsPerBeat)
            _ = update(&model, .tick(model.context.now ?? now()))
        }
        onFrame(view(model, size), 4)
    }
}

extension Model {
    /// Whether nothing runs and the accounts after the last step are known.
    package var hasSettled: Bool {
        guard let walk = context.walk, walk.running == nil, context.accounts.removing == nil else { return false }
        switch context.accounts.phase {
        case .unread, .reading: return false
        case .failed: return true
        case .read: return walk.records.last.map { $0.after != nil } ?? true
        }
    }

    package var stepLines: WalkLines { WalkLines(context) }

    package var walk: GuidedWalk? { context.walk }
}

extension Handout {
    package init?(_ model: Model) { self.init(model.context) }
}
