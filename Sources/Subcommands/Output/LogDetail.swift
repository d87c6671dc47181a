import MSAL

/// How much of the library's log goes to standard error. No token or code is in it at any level, and no name of a person.
package enum LogDetail: Sendable, Equatable {
    case none
    /// `-v`: what is done.
    case steps
    /// `-vv`: also how.
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

    /// Has the library tell its steps from now on.
    func begin(on sink: any TextSink) {
        guard let level else { return }
        MSALGlobalConfig.loggerConfig.logLevel = level
        MSALGlobalConfig.loggerConfig.setLogCallback { _, message, _ in
            // A log that nobody reads any more must not stop the work.
            if let message { try? sink.write("keyturn: log: \(message)\n") }
        }
    }
}
