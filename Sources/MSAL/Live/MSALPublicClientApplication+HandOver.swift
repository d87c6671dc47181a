import Foundation
import KeyturnSystem

extension MSALPublicClientApplication {
    /// Passes a URL that this process was opened with to the process whose sign-in waits for it. Not in MSAL for iOS
    /// and macOS.
    ///
    /// On Linux the desktop starts a new process for each URL instead of waking the application that waits. Call this
    /// from the program that the `x-scheme-handler` of a desktop entry names. Both processes must belong to the same
    /// user.
    ///
    /// A sign-in of this process itself has priority: the URL goes to ``handleMSALResponse(_:sourceApplication:)``
    /// first.
    public static func handOver(_ openedURL: URL) async -> MSALHandOverOutcome {
        await handOver(openedURL, environment: ProcessEnvironment.variables)
    }

    /// Passes a URL on as ``handOver(_:)`` does, with environment variables other than those of this process.
    ///
    /// - Parameters:
    ///   - openedURL: the URL that this process was opened with.
    ///   - environment: the variables to use. `XDG_RUNTIME_DIR` and `XDG_STATE_HOME` locate the sign-ins that wait.
    public static func handOver(_ openedURL: URL, environment: [String: String]) async -> MSALHandOverOutcome {
        if handleMSALResponse(openedURL, sourceApplication: nil) { return .delivered }
        return await HandOver(folder: HandOverFolder(environment: environment), user: geteuid()).offer(openedURL)
    }
}
