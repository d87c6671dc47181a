import KeyturnSystem
import TerminalUI

/// Runs the program in line mode until the user quits or the input ends.
/// - Returns: the same as ``runPlainLoop(_:on:performer:)``.
/// - Parameter services: copied texts go to files, because there's no clipboard.
package func runPlainProgram(
    _ start: ProgramStart, on terminal: any PlainTerminal, teller: PlainTeller,
    options: ProgramOptions = ProgramOptions(), services: ProgramServices = ProgramServices()
) async -> InputEvent? {
    var (options, services) = (options, services)
    services.forgetTyped = terminal.forgetTyped
    // A flow that plays would hide the rest of its messages.
    options.noMotion = true
    let model = Model(start, configPath: services.configPath, options: options, size: Size(width: 80, height: 24))
    let runner = EffectRunner(start.application, scenario: start.scenario, services: services)
    return await runPlainLoop(
        PlainConversation(model, teller: teller, isInteractive: terminal.isInteractive), on: terminal,
        performer: runner)
}

/// Handles one event at a time: updates the model, prints, starts effects.
/// - Returns: the event that ended the program; nil if the user quit or the input ended.
package func runPlainLoop(
    _ initial: PlainConversation, on terminal: any PlainTerminal, performer: any EffectPerformer
) async -> InputEvent? {
    let mailbox = Mailbox()
    let (events, sender) = AsyncStream<PlainConversation.Event>.makeStream()
    let ending = await withTaskGroup { group -> InputEvent? in
        group.addTask { for await message in mailbox.messages { sender.yield(.message(message)) } }
        // SIGTERM doesn't wait behind what was typed or piped in; what comes before it is dropped.
        let isTerminated = Locked(false)
        group.addTask {
            for await event in terminal.input {
                if event == .terminate { isTerminated.withLock { $0 = true } }
                sender.yield(event)
            }
        }
        mailbox.post(.started)
        var ending: InputEvent?
        var conversation = initial
        for await next in events {
            let event = isTerminated.withLock(\.self) ? .terminate : next
            let turn = conversation.handle(event)
            // Before printing the question, so that even an immediate answer is hidden.
            terminal.hide(conversation.hidesInput)
            if !turn.text.isEmpty { terminal.write(turn.text) }
            for effect in turn.effects { performer.perform(effect, mailbox: mailbox) }
            guard conversation.model.isFinished else { continue }
            if case .message(.input(let input)) = event { ending = input }
            break
        }
        terminal.hide(false)
        mailbox.close()
        group.cancelAll()
        return ending
    }
    await performer.finish()
    return ending
}

extension PlainConversation.Event {
    package static let forgotten = Self.message(.input(.forgotten))
    /// SIGINT.
    package static let interrupt = Self.message(.input(.interrupt))
    /// SIGTERM or SIGHUP.
    package static let terminate = Self.message(.input(.terminate))
}

/// A terminal or pipe to print lines to and read lines from.
package protocol PlainTerminal: Sendable {
    /// Whether it's a terminal, which echoes input. For a pipe, line mode prints the answers itself.
    var isInteractive: Bool { get }
    /// The input, as one stream for the terminal's lifetime.
    var input: AsyncStream<PlainConversation.Event> { get }
    func write(_ text: String)
    func hide(_ isHidden: Bool)
    /// Drops what was typed so far. ``PlainConversation/Event/forgotten`` follows all lines that were read before.
    func forgetTyped()
}
