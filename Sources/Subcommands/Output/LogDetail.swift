import MSAL

/// The log level on standard error. The log never contains tokens, codes or names of users.
package enum LogDetail: Sendable, Equatable {
    case none
    /// `-v`: steps.
    case steps
    /// `-vv`: details.
    case everything

    init(_ options: ParsedOptions) {
        let count = options.given.count { $0.option == .verbose }
        self = options.has(.quiet) || count == 0 ? .none : count == 1 ? .steps : .everything
    }

    private var level: MSALLogLevel? {
        switch self {
        case .none: nil
        case .steps: .info
        case .everything: .verbose
        }
    }

    /// Whether to log the whole text of a server's error. On a terminal it may fill the screen, or imitate this program's text.
    func showsServerTexts(on sink: any TextSink) -> Bool { self == .everything && !sink.isTerminal }

    func begin(on sink: any TextSink) {
        guard let level else { return }
        MSALGlobalConfig.loggerConfig.logLevel = level
        MSALGlobalConfig.loggerConfig.showsServerTexts = showsServerTexts(on: sink)
        MSALGlobalConfig.loggerConfig.setLogCallback { _, message, _ in
            // Ignores a closed pipe.
            if let message { try? sink.write("keyturn: log: \(message)\n") }
        }
    }
}
