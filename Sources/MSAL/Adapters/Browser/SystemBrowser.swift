import Foundation
import KeyturnSystem

package struct SystemBrowser: BrowserLauncher {
    /// Commands in the format of `$BROWSER`, instead of that variable.
    var configured: String?
    /// The environment of the browser, including `BROWSER`.
    let environment: [String: String]
    /// Seconds to wait for a command to report an error.
    var patience = 1.0

    package func checkServer(of page: URL) throws(TransportFailure) { try CredentialGuard.check(page) }

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        var failures: [BrowserLaunchFailure] = []
        let choice = BrowserCommands(
            configured: configured, environment: environment, address: page.url.absoluteString,
            isPrivate: page.isPrivate)
        for command in choice.commands {
            do { return try await launch(command, page.lendTerminal) } catch { failures.append(error) }
        }
        if failures.isEmpty {
            failures = [.init(.noBrowser, reason: "There is no display, and $BROWSER names no command.")]
        }
        let mayHaveOpened = choice.isChosen && failures.contains { $0.kind == .commandFailed }
        throw BrowserLaunchFailure(
            mayHaveOpened ? .commandFailed : .noBrowser, reason: failures.map(\.reason).joined(separator: " "))
    }

    private func launch(_ command: [String], _ lendTerminal: TerminalLender?) async throws(BrowserLaunchFailure) {
        let name = command.first ?? ""
        guard BrowserCommands.drawsInTerminal(command) else {
            return try judge(await start(command).wait(within: patience), of: name)
        }
        guard let lendTerminal else {
            throw BrowserLaunchFailure(.noBrowser, reason: "\(name) needs a terminal, which isn't available.")
        }
        let outcome = Locked<Result<ChildProcess.Exit?, BrowserLaunchFailure>>(.success(nil))
        await lendTerminal {
            do throws(BrowserLaunchFailure) {
                let exit = try await start(command, .onTerminal).wait()
                outcome.withLock { $0 = .success(exit) }
            } catch { outcome.withLock { $0 = .failure(error) } }
        }
        // A browser that was cancelled after the response has done its work.
        if Task.isCancelled { return }
        try judge(try outcome.withLock { $0 }.get(), of: name)
    }

    private func start(
        _ command: [String], _ place: ChildProcess.Place = .detached
    ) throws(BrowserLaunchFailure) -> ChildProcess {
        let program = command.first ?? ""
        if let distrust = FileTrust.distrust(ofCommand: command, searchPath: environment["PATH"] ?? "") {
            throw BrowserLaunchFailure(
                .noBrowser, reason: "\(program) was not started: \(distrust.problem). \(distrust.remedy).")
        }
        do { return try ChildProcess.start(command, environment: environment, place) } catch {
            throw BrowserLaunchFailure(.noBrowser, reason: "\(program) could not be started: \(error.reason).")
        }
    }

    /// `exit`: `nil` while it is running.
    private func judge(_ exit: ChildProcess.Exit?, of name: String) throws(BrowserLaunchFailure) {
        let isOfDesktop = name == "xdg-open" || name.hasSuffix("/xdg-open")
        // xdg-open(1), exit codes; those of a shell that finds no program to run.
        switch exit {
        case nil, .exited(0): return
        case .exited(3) where isOfDesktop: throw .init(.noBrowser, reason: "xdg-open found no browser.")
        case .exited(4) where isOfDesktop: throw .init(reason: "xdg-open could not open the page.")
        case .exited(126), .exited(127): throw .init(.noBrowser, reason: "\(name) found no program to start.")
        case .exited(let status): throw .init(reason: "\(name) failed with status \(status).")
        case .killed(let signal): throw .init(reason: "\(name) was killed by signal \(signal).")
        }
    }
}
