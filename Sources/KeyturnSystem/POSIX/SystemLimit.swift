import Glibc

/// A limit of the process or the computer. Any system call can meet one, so each text about a failed call names the remedy.
package enum SystemLimit: Error, Sendable, Equatable, CaseIterable {
    case openFiles
    case openFilesOfComputer
    case memory
    case threads
    /// No limit, but a filter of system calls (seccomp(2)), as in a sandbox or an outdated container engine.
    case filter

    /// - Parameter code: an `errno`; `nil` if it stands for no limit.
    package init?(code: Int32) {
        switch code {
        case EMFILE: self = .openFiles
        case ENFILE: self = .openFilesOfComputer
        case ENOMEM: self = .memory
        default: return nil
        }
    }

    /// - Parameters:
    ///   - code: the `errno` of a call that makes a thread, a socket or another object that needs no permission.
    ///   - usual: the limit if the code stands for none.
    package init(creating code: Int32, otherwise usual: SystemLimit) {
        self = [EPERM, EACCES, ENOSYS].contains(code) ? .filter : SystemLimit(code: code) ?? usual
    }

    /// - Parameter message: the message of dlerror(3); `nil` if a library is missing or unsuitable.
    package init?(loaderMessage message: String) {
        let codes = [EMFILE, ENFILE, ENOMEM]
        guard let code = codes.first(where: { message.hasSuffix(": \(String(cString: strerror($0)))") }) else {
            guard message.contains("failed to map segment") else { return nil }
            self = .memory
            return
        }
        self.init(code: code)
    }

    /// The limit of open files if the process has almost met it. For a failure whose library tells no `errno`.
    package static var nearlyMet: SystemLimit? {
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        // As many as a connection with its name resolution needs.
        for _ in 1...4 {
            let copy = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard copy >= 0 else { return SystemLimit(code: errno) }
            copies.append(copy)
        }
        return nil
    }

    /// The problem and its remedy, to follow a colon, without a full stop.
    package var reason: String { "\(problem). \(remedy)" }

    package var problem: String {
        switch self {
        case .openFiles: String(cString: strerror(EMFILE))
        case .openFilesOfComputer: String(cString: strerror(ENFILE))
        case .memory: String(cString: strerror(ENOMEM))
        case .threads: "No thread can be started"
        case .filter: "A filter of system calls (seccomp) forbids it"
        }
    }

    /// The next step, without a full stop.
    package var remedy: String {
        switch self {
        case .openFiles: "Raise the limit of open files (ulimit -n 256)"
        case .openFilesOfComputer: "Close other programs"
        case .memory: "Raise the limit of memory (ulimit -v), or close other programs"
        case .threads: "Raise the limits of memory (ulimit -v) and processes (ulimit -u)"
        case .filter: "Allow it in the sandbox, or update the container engine, whose filter may be too old"
        }
    }
}

/// Describes an `errno`, to follow a colon, without a full stop.
///
/// - Parameter hasRemedy: whether a limit comes with its remedy, where no next step follows.
package func systemReason(_ code: Int32, hasRemedy: Bool = true) -> String {
    let limit = SystemLimit(code: code)
    return (hasRemedy ? limit?.reason : limit?.problem) ?? String(cString: strerror(code))
}
