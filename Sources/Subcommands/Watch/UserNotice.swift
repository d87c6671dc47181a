import Glibc
import KeyturnSystem
import MSAL

/// Tells the user who isn't at the program's terminal: by a command of the user's, or else on the desktop.
struct UserNotice: Sendable {
    /// A command line of the shell; `nil` for the desktop.
    let command: String?
    let environment: [String: String]

    private static let patience = 20.0

    /// Returns why the user couldn't be told; `nil` if they were, or if there is no desktop.
    func send(_ notice: WatchNotice) async -> String? {
        guard let command else {
            _ = DesktopNotice.show(notice.event.title, notice.text, in: environment)
            return nil
        }
        // In variables, which the shell doesn't read as code.
        let variables = [
            "KEYTURN_EVENT": notice.event.rawValue, "KEYTURN_ACCOUNT": notice.account, "KEYTURN_MESSAGE": notice.text,
        ]
        do throws(ChildProcess.StartFailure) {
            let process = try ChildProcess.start(
                ["/bin/sh", "-c", command], environment: environment.merging(variables) { $1 })
            switch await process.wait(within: Self.patience) {
            case .exited(0): return nil
            case .exited(let status): return "it ended with status \(status)"
            case .killed(let signal): return "signal \(signal) ended it"
            case nil:
                process.killGroup()
                return "it took longer than \(Int(Self.patience)) seconds"
            }
        } catch {
            return error.reason
        }
    }
}

extension WatchNotice.Event {
    fileprivate var title: String {
        switch self {
        case .refreshed: "Tokens refreshed"
        case .notRefreshed: "Tokens not refreshed"
        case .signInExpires: "Sign-in expires soon"
        case .signInRequired: "Sign-in needed"
        }
    }
}
