import MSAL
import TerminalUI

/// Runs the program on a screen until the user quits.
/// - Parameter services: the screen itself provides copying and terminal lending.
package func runProgram(
    _ start: ProgramStart, on screen: any Screen, options: ProgramOptions = ProgramOptions(),
    services: ProgramServices = ProgramServices()
) async {
    let model = Model(start, configPath: services.configPath, options: options, size: screen.size)
    var services = services
    services.lendTerminal = screen.lend
    services.copy = screen.copy
    services.display = screen.use
    services.forgetTyped = screen.forgetTyped
    let runner = EffectRunner(start.application, scenario: start.scenario, services: services)
    await runLoop(model, on: screen, performer: runner)
}

/// Handles one message at a time: updates the model, starts effects, draws a frame. Idle between messages.
package func runLoop(_ initial: Model, on screen: any Screen, performer: any EffectPerformer) async {
    let mailbox = Mailbox()
    await withTaskGroup { group in
        group.addTask {
            for await event in screen.input { mailbox.post(.input(event)) }
            mailbox.post(.inputEnded)
        }
        await drain(mailbox, into: initial, on: screen, performer: performer)
        group.cancelAll()
    }
    await performer.finish()
}

private func drain(
    _ mailbox: Mailbox, into initial: Model, on screen: any Screen, performer: any EffectPerformer
) async {
    var model = initial
    var shown: Model?
    mailbox.post(.started)
    for await message in mailbox.messages {
        let pace = model.pace
        for effect in update(&model, message) { performer.perform(effect, mailbox: mailbox) }
        if model.pace != pace { performer.keep(model.pace, mailbox: mailbox) }
        if model.isFinished { break }
        if model != shown { screen.show(view(model, model.context.size)) }
        shown = model
    }
    performer.keep(.still, mailbox: mailbox)
    mailbox.close()
}

package indirect enum ProgramStart: Sendable {
    /// Without an application, the first sign-in opens one.
    case ready(MSALPublicClientApplication?, ProgramProfile)
    /// No configuration; starts with the set-up.
    case unconfigured
    case scenario(OpenedScenario), problem(Failure, configPath: String)

    var application: MSALPublicClientApplication? {
        if case .ready(let application, _) = self { application } else { nil }
    }

    var scenario: OpenedScenario? {
        if case .scenario(let opened) = self { opened } else { nil }
    }
}
