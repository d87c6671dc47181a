import Console
import KeyturnSystem
import MSAL

/// The user's text editor: `$VISUAL`, `$EDITOR`, or else the first of vi and nano.
struct Editor {
    private let command: [String]
    private let environment: [String: String]

    /// - Parameter exists: whether `PATH` has a program.
    init(in environment: [String: String], exists: ((String) -> Bool)? = nil) {
        self.environment = environment
        let exists = exists ?? { ExternalProgram.path(of: $0, in: environment) != nil }
        let chosen = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.map(ShellWords.split).first {
            !$0.isEmpty
        }
        command = chosen ?? ["vi", "nano"].first(where: exists).map { [$0] } ?? []
    }

    /// The command that opens the file, at a line if the editor is known.
    func arguments(_ path: String, at line: Int?) -> [String] {
        let name = (command.first ?? "").fileName
        guard let line else { return command + [path] }
        if Self.plus.contains(name) { return command + ["+\(line)", path] }
        if Self.colon.contains(name) { return command + ["\(path):\(line)"] }
        if Self.going.contains(name) { return command + ["--goto", "\(path):\(line)"] }
        return command + [path]
    }

    /// Editors by the form of the line.
    private static let plus: Set<String> = [
        "vi", "vim", "nvim", "view", "gvim", "elvis", "nvi", "vim.basic", "vim.tiny", "nano", "rnano", "pico", "emacs",
        "emacsclient", "mg", "jed", "joe", "jmacs", "jpico", "jstar", "ne", "micro", "kak", "mcedit", "gedit", "kate",
    ]
    private static let colon: Set<String> = ["hx", "helix", "subl", "zed"]
    private static let going: Set<String> = ["code", "codium", "code-insiders"]

    /// Runs the editor and waits until it's closed.
    func edit(_ path: String, at line: Int?, _ lend: TerminalLender?) async throws(Failure) {
        let arguments = arguments(path, at: line)
        guard let name = command.first else {
            throw failure("There is no editor.", "Set VISUAL or EDITOR, or edit \(path) in another window.")
        }
        guard let lend else {
            throw failure("\(name) needs the whole terminal.", "Edit \(path) in another window.")
        }
        let problem = Locked<String?>(nil)
        await lend {
            do throws(ChildProcess.StartFailure) {
                let exit = try await ChildProcess.start(arguments, environment: environment, .onTerminal).wait()
                if exit != .exited(0) { problem.withLock { $0 = "it failed" } }
            } catch {
                problem.withLock { $0 = error.reason }
            }
        }
        if let problem = problem.withLock(\.self) {
            throw failure(
                "The editor \(name): \(problem).", "Check VISUAL and EDITOR, or edit \(path) in another window.")
        }
    }

    private func failure(_ reason: String, _ advice: String) -> Failure {
        Failure(.failed, name: "editor", reason, nextStep: advice)
    }
}
