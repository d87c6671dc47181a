import Console
import Glibc
import TerminalUI

/// Line mode on the process's standard streams.
enum LineProgram {
    static func run(
        _ start: ProgramStart, _ settings: Settings, _ demo: DemoSession, _ fill: (inout ProgramOptions) -> Void,
        in surroundings: Surroundings
    ) async throws {
        let isPlainASCII = settings.usesASCII || !surroundings.usesUTF8
        let output: any TextSink = isPlainASCII ? ASCIISink(surroundings.output) : surroundings.output
        let terminal = StandardTerminal(surroundings, output: output)
        var options = settings.programOptions(in: surroundings)
        fill(&options)
        let ending = await runPlainProgram(
            start, on: terminal, teller: teller(in: surroundings),
            options: options,
            services: ProgramServices(settings, demo, in: surroundings))
        switch ending {
        case .interrupt: throw Interrupted(signal: SIGINT)
        case .terminate: throw Interrupted(signal: terminal.endedBy)
        case .key, .keys, .mouse, .resize, .paste, .forgotten, nil: break
        }
    }

    /// The texts of the corresponding commands.
    private static func teller(in surroundings: Surroundings) -> PlainTeller {
        let code = DeviceCodeNotice(drawsPicture: false, usesASCII: true)
        return PlainTeller(
            step: { event, method, proposal, page in
                FlowNarrator(
                    method: method, proposal: proposal, page: page, wantsPaste: true, hidesFailure: method == .broker
                ).lines(event)
            },
            code: { code.text($0, at: surroundings.now()) })
    }
}
