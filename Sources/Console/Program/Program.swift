import AuthEngine
import Diagnosis
import Foundation
import TerminalUI

/// Runs the program on a screen until the person ends it.
///
/// - Parameters:
///   - profiles: the configuration, for the set-up and for switching.
///   - openURL: opens the sign-in page in place of the system's browser.
///   - save: writes a text to a file of this name, and gives its path.
///   - check: looks at the set-up of the profile that is open.
package func runProgram(
    _ start: ProgramStart, on screen: any Screen, options: ProgramOptions = ProgramOptions(),
    profiles: (any ProfileBook)? = nil, openURL: (@Sendable (URL) async throws -> Void)? = nil,
    save: @escaping @Sendable (_ text: String, _ name: String) throws -> String = EffectRunner.noFiles,
    check: @escaping @Sendable (ProgramProfile?) async -> CheckReport = { _ in CheckReport([]) }
) async {
    let (application, root): (MSALPublicClientApplication?, Model.Root) =
        switch start {
        case .ready(let application, let profile): (application, .accounts(profile))
        case .unconfigured: (nil, .unconfigured)
        case .problem(let problem, let path): (nil, .problem(problem, configPath: path))
        }
    var model = Model(root: root, options: options, size: screen.size)
    model.configPath = profiles?.path ?? ""
    if root == .unconfigured { model.routes = [.providers(ProviderChoice())] }
    let runner = EffectRunner(
        application, profiles: profiles, openURL: openURL, lendTerminal: screen.lend, copy: screen.copy, save: save,
        check: check)
    await runLoop(model, on: screen, performer: runner)
}

/// One message at a time: update, effects, a frame. While no message comes, nothing runs.
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
        if model != shown { screen.show(view(model, model.size)) }
        shown = model
    }
    performer.keep(.still, mailbox: mailbox)
    mailbox.close()
}
