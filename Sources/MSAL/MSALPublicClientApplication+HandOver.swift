import AuthEngine
import Foundation
import LinuxAdapters
import POSIX

extension MSALPublicClientApplication {
    /// Hands an address that this process was opened with to the process of the same user whose sign-in waits for it. An
    /// addition of this library: here the desktop starts a process for each address, where other systems wake the
    /// application that waits.
    ///
    /// For the program that a desktop entry's `x-scheme-handler` names. A sign-in of this process itself takes the address
    /// by ``handleMSALResponse(_:sourceApplication:)``, which is asked first.
    public static func handOver(_ openedURL: URL) async -> MSALHandOverOutcome {
        await handOver(openedURL, environment: ProcessEnvironment.variables)
    }

    /// As ``handOver(_:)``, in another environment than this process's.
    ///
    /// - Parameters:
    ///   - openedURL: the address that this process was opened with.
    ///   - environment: `XDG_RUNTIME_DIR` and `XDG_STATE_HOME` say where sign-ins wait.
    public static func handOver(_ openedURL: URL, environment: [String: String]) async -> MSALHandOverOutcome {
        if handleMSALResponse(openedURL, sourceApplication: nil) { return .taken }
        return await HandOver(environment: environment).offer(openedURL)
    }
}
