import Foundation

/// The engine's log. Messages are created only if a callback is set.
package struct EngineLog: Sendable {
    let configuration: MSALLoggerConfig
    let time: any TimeSource
    let system: SystemDescription
    let correlationID: UUID?

    package func error(_ message: @autoclosure () -> LogMessage) { write(.error, message) }
    package func warning(_ message: @autoclosure () -> LogMessage) { write(.warning, message) }
    package func info(_ message: @autoclosure () -> LogMessage) { write(.info, message) }
    package func verbose(_ message: @autoclosure () -> LogMessage) { write(.verbose, message) }

    /// Writes the whole text of the server's response that a failure is about, if the program wants it.
    func serverText(of failure: any Error) {
        guard configuration.snapshot.showsServerTexts,
            let text = (failure as? AuthenticationFailure)?.response?.wholeText
        else { return }
        verbose("The server's response: \(serverText: text)")
    }

    private func write(_ level: MSALLogLevel, _ message: () -> LogMessage) {
        let settings = configuration.snapshot
        guard let callback = settings.callback, level.rawValue <= settings.logLevel.rawValue else { return }
        let message = message()
        let masking = settings.logMaskingLevel
        callback(level, "\(head) \(message.text(masking))", message.showsPersonalData(masking))
    }

    /// The start of a line, as in MSAL for iOS and macOS but without the thread, because a task has none.
    private var head: String {
        let time = time.now().formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        ).replacing("Z", with: "")
        let system = [system.name, system.version].compactMap(\.self).joined(separator: " ")
        let request = correlationID.map { " - \($0.uuidString)" } ?? ""
        return "MSAL \(MSAL__Framework_VersionString) \(system) [\(time) UTC\(request)]"
    }
}
