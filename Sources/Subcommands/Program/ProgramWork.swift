import Console
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

/// The terminal program's work that isn't the library's: on the configuration, and what the commands do too.
struct ProgramWork: Sendable {
    let settings: Settings
    let profiles: FileProfileBook
    let demo: DemoSession
    let surroundings: Surroundings

    /// Does the work; nil if it's the library's.
    func perform(
        _ work: Work, in program: ProgramServices, opening use: (MSALPublicClientApplication) -> Void
    ) async -> WorkResult? {
        switch work {
        case .profiles(let work): .profiles(await profiles.perform(work, opening: use))
        case .editConfiguration:
            .edited(
                await outcome {
                    try await Editor(in: surroundings.environment)
                        .edit(profiles.path, at: profiles.mistakeLine, program.lendTerminal)
                }.error)
        case .export(let export, let replaces, let profile):
            .exported(export, await outcome { try await write(export, replaces, profile, program.copy) })
        case .check(let profile): .checked(await examination(of: profile).report(in: surroundings).onScreen)
        case .explain(let text, let profile, let isOffline):
            .explained(await outcome { try await explain(text, profile, isOffline) })
        case .review(let text, let hidden, let profile): .reviewed(await outcome { try review(text, hidden, profile) })
        case .compare(let text, let other): .compared(await outcome { try compare(text, other) })
        case .listFolder(let folder): .folder(await outcome { try entries(of: folder) })
        case .verify(let token, let profile): .verified(await verification(of: token, profile).verdicts())
        case .checkURLHandler(let profile): .urlHandler(await handler(of: profile))
        case .doors(let door): .doors(await doors(closing: door))
        case .runCommand(let command, let account, let profile):
            .ran(await outcome { try await run(command, account, profile) })
        case .readAccounts, .held, .takeBack, .signIn, .acquireSilently, .remove, .signOut, .openScenario, .performStep,
            .copy, .save, .copyToken:
            nil
        }
    }

    private func outcome<Value>(_ body: () async throws -> Value) async -> Outcome<Value> {
        do { return .success(try await body()) } catch { return .failure(Failure(error, at: surroundings.now())) }
    }

    /// Reads evidence, with the same texts as in the commands if it fails.
    private func reading<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(changing: error, at: surroundings.now()) }
    }

    private func examination(of shown: ProgramProfile?) async -> SetupExamination {
        let isDemo = shown?.isDemo == true
        return SetupExamination(
            settings: settings, given: isDemo ? await demo.profile : profiles.profile(of: shown), isDemo: isDemo)
    }

    private func handler(of profile: ProgramProfile?) async -> MachineFindings.Handler {
        let examination = await examination(of: profile)
        return await examination.handler(of: examination.given, in: surroundings)
    }

    private func verification(of token: String, _ profile: ProgramProfile?) -> TokenVerification {
        let chosen = profiles.profile(of: profile)?.certificateAuthorityFile
        return TokenVerification(token: token, certificateAuthorityFile: chosen ?? settings.certificateAuthorityFile)
    }

    private func doors(closing door: OpenDoor?) async -> [OpenDoor] {
        if let door { await DoorFile.shut(door, in: surroundings.environment) }
        return DoorFile.all(in: surroundings.environment)
    }

    /// Runs a program of the user's, without a terminal. It gets no token: `keyturn exec` is for that.
    private func run(_ command: OwnCommand, _ account: String, _ profile: String) async throws -> EndedCommand {
        let configuration = settings.config.map { ["KEYTURN_CONFIG": $0] } ?? [:]
        let environment = surroundings.environment.merging(
            ["KEYTURN_ACCOUNT": account, "KEYTURN_PROFILE": profile, "NO_COLOR": "1", "TERM": "dumb"]
        ) { $1 }.merging(configuration) { $1 }
        try RunningProgram.check(command.arguments, in: environment)
        if let distrust = FileTrust.distrust(ofCommand: command.arguments, searchPath: environment["PATH"] ?? "") {
            throw Failure(
                .configuration, name: "unsafeFile", "The command \(command.title) is unsafe: \(distrust.problem).",
                nextStep: "\(distrust.remedy).")
        }
        let ended = await ExternalProgram.run(
            command.arguments, environment: environment, within: OwnCommand.patience, withErrors: true)
        guard let ended else { throw RunningProgram.notStarted(command.arguments, "the system didn't start it") }
        let ending =
            switch ended.status {
            case 0: "It has succeeded."
            case ExternalProgram.overdue:
                "It was ended, because it took longer than \(Int(OwnCommand.patience)) seconds."
            case ..<0: "Signal \(-ended.status) ended it."
            default: "It failed with status \(ended.status)."
            }
        return EndedCommand(
            ending: ending, hasSucceeded: ended.status == 0,
            // Without what colours it or moves the cursor (ECMA-48), of which otherwise the letters would be left.
            output: ended.output.isEmpty
                ? "It printed nothing."
                : ended.output.replacing(
                    #/\u{1B}(?:\[[0-?]*[ -\/]*[@-~]?|\][^\u{07}\u{1B}]*(?:\u{07}|\u{1B}\\)?|.)?/#, with: ""))
    }

    // Files.

    private func expanded(_ path: String) -> String {
        path == "~" || path.hasPrefix("~/") ? (surroundings.environment["HOME"] ?? "~") + path.dropFirst() : path
    }

    private func entries(of folder: String) throws(Failure) -> [FolderEntry] {
        do throws(PlainFile.Failure) {
            return try PlainFile.names(in: expanded(folder)).map { FolderEntry($0.name, isFolder: $0.isFolder) }
        } catch {
            throw Failure(
                .failed, name: "unreadable",
                "Can't list \(folder.isEmpty ? "the current folder" : folder): \(error.reason).", nextStep: "")
        }
    }

    private func write(
        _ export: Export, _ replaces: Bool, _ profile: ProgramProfile?, _ copy: (String) -> CopyOutcome
    ) async throws -> Exported {
        var changes = ""
        switch export.content {
        case .text(let text): try write(text, export, replaces)
        case .supportReport:
            try write(await examination(of: profile).supportReport(in: surroundings).text, export, replaces)
        case .redactedCopy(let source, let hidden):
            let copy = try redaction(try input(source, besides: export.path), hidden, profile)
            try write(copy.text, export, replaces)
            changes = copy.changes
        case .caseFiles(let source, let hidden):
            let evidence = try input(source, besides: export.path)
            let copy = try redaction(evidence, hidden, profile)
            try CaseOutput(path: expanded(export.path), replaces: replaces).write(copy, of: evidence)
            changes = copy.changes
        }
        return Exported(path: export.path, changes: changes, isPathCopied: copy(export.path) == .sent)
    }

    private func write(_ text: String, _ export: Export, _ replaces: Bool) throws {
        try Task.checkCancellation()
        try ExportedFile(path: expanded(export.path), replaces: replaces).write(Data(text.utf8))
    }

    // Evidence.

    private func file(_ text: String) -> String? {
        let typed = TypedFileName(text)
        let path = expanded(typed.path)
        return typed.isMarked || access(path, F_OK) == 0 ? path : nil
    }

    /// - Parameter path: where a copy goes, which must not be the file itself.
    private func input(_ text: String, besides path: String? = nil) throws -> EvidenceInput {
        if let path, let source = file(text), PlainFile.isSame(source, expanded(path)) {
            throw Failure(
                .failed, name: "source", "\(path) is the explained file itself.",
                nextStep: "Use another name for the copy.")
        }
        return try reading { try EvidenceInput(file(text) ?? expanded(text)) }
    }

    private func explainer(_ profile: ProgramProfile? = nil) throws -> Explainer {
        try Explainer(
            clientID: profile?.clientID ?? "", infoPlist: Array(EmbeddedResource.infoPlist), hasInfoPlist: false,
            now: surroundings.now())
    }

    private func explain(_ text: String, _ profile: ProgramProfile?, _ isOffline: Bool) async throws -> Explained {
        let evidence = try input(text)
        var explanation = try reading {
            try evidence.examined(by: explainer(profile), copies: false, settings).explanation
        }
        if explanation.kind == .token, !isOffline {
            explanation = await verification(of: evidence.token, profile).complete(explanation)
        }
        return Explained(name: evidence.isFile ? text.fileName : nil, explanation: explanation)
    }

    private func compare(_ text: String, _ other: String) throws -> Comparison {
        try reading { try input(text).compared(with: input(other), by: explainer()) }
    }

    private func redaction(
        _ evidence: EvidenceInput, _ hidden: [String], _ profile: ProgramProfile?
    ) throws(Failure) -> Redaction {
        try reading {
            try evidence.examined(by: explainer(profile), copies: true, settings, hiding: hidden).copy
                ?? Redaction(lines: [])
        }
    }

    private func review(_ text: String, _ hidden: [String], _ profile: ProgramProfile?) throws -> ReviewedCopy {
        let evidence = try input(text)
        return ReviewedCopy(
            name: evidence.isFile ? text.fileName : nil, copy: try redaction(evidence, hidden, profile),
            CopyReview(of: evidence.bytes, hiding: hidden))
    }
}

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

    func arguments(_ path: String, at line: Int?) -> [String] {
        let name = (command.first ?? "").fileName
        guard let line else { return command + [path] }
        if Self.plus.contains(name) { return command + ["+\(line)", path] }
        if Self.colon.contains(name) { return command + ["\(path):\(line)"] }
        if Self.going.contains(name) { return command + ["--goto", "\(path):\(line)"] }
        return command + [path]
    }

    private static let plus: Set<String> = [
        "vi", "vim", "nvim", "view", "gvim", "elvis", "nvi", "vim.basic", "vim.tiny", "nano", "rnano", "pico", "emacs",
        "emacsclient", "mg", "jed", "joe", "jmacs", "jpico", "jstar", "ne", "micro", "kak", "mcedit", "gedit", "kate",
    ]
    private static let colon: Set<String> = ["hx", "helix", "subl", "zed"]
    private static let going: Set<String> = ["code", "codium", "code-insiders"]

    func edit(_ path: String, at line: Int?, _ lend: TerminalLender?) async throws(Failure) {
        let arguments = arguments(path, at: line)
        guard let name = command.first else {
            throw failure("There is no editor.", "Set VISUAL or EDITOR, or edit \(path) in another window.")
        }
        guard let lend else { throw failure("\(name) needs the whole terminal.", "Edit \(path) in another window.") }
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
