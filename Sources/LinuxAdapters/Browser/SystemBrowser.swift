import AuthEngine
import Foundation

/// The person's browser: the configured one, else `$BROWSER`, else the system's.
package struct SystemBrowser: BrowserLauncher {
    private let configured: String?
    private let environment: [String: String]
    private let patience: Double

    /// - Parameters:
    ///   - configured: commands in the form of `$BROWSER`, to use in its place.
    ///   - environment: what the launcher is started with; its `BROWSER` decides.
    ///   - patience: seconds in which a launcher that cannot open anything is expected to say so.
    package init(_ configured: String? = nil, environment: [String: String], patience: Double = 1) {
        self.configured = configured
        self.environment = environment
        self.patience = patience
    }

    package func open(_ page: BrowserPage) async throws(BrowserLaunchFailure) {
        var reasons: [String] = []
        let choice = BrowserCommands(
            configured: configured, environment: environment, address: page.url.absoluteString,
            isPrivate: page.isPrivate)
        for command in choice.commands {
            do throws(BrowserLaunchFailure) {
                return try await launch(command)
            } catch {
                reasons.append(error.reason)
            }
        }
        throw BrowserLaunchFailure(reason: reasons.joined(separator: " "))
    }

    private func launch(_ command: [String]) async throws(BrowserLaunchFailure) {
        let name = command.first ?? ""
        guard !BrowserCommands.drawsInTerminal(command) else {
            throw BrowserLaunchFailure(reason: "\(name) draws in a terminal, and this one is taken.")
        }
        let process: DetachedProcess
        do throws(DetachedProcess.Refused) {
            process = try DetachedProcess.start(command, environment: environment)
        } catch {
            throw BrowserLaunchFailure(reason: "\(name) could not be started: \(error.reason).")
        }
        switch await process.end(within: patience) {
        case nil, .exited(0): return
        case .exited(let status): throw BrowserLaunchFailure(reason: Self.explain(name, status: status))
        case .killed(let signal): throw BrowserLaunchFailure(reason: "\(name) was ended by signal \(signal).")
        }
    }

    private static func explain(_ name: String, status: Int32) -> String {
        // xdg-open(1), exit codes.
        guard name == "xdg-open" || name.hasSuffix("/xdg-open") else { return "\(name) failed with status \(status)." }
        return switch status {
        case 3: "xdg-open found no browser."
        case 4: "xdg-open could not open the page."
        default: "xdg-open failed with status \(status)."
        }
    }
}
