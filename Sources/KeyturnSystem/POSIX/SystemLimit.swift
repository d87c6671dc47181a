import Glibc

/// A limit of the process or the computer. Any system call can meet one, so each text about a failed call names the remedy.
package enum SystemLimit: Error, Sendable, Equatable, CaseIterable {
    case openFiles
    case openFilesOfComputer
    case memory
    case threads
    /// No limit, but a filter of system calls (seccomp(2)), as in a sandbox or an outdated container engine.
    case filter

    /// `nil` for an `errno` that stands for no limit.
    package init?(code: Int32) {
        switch code {
        case EMFILE: self = .openFiles
        case ENFILE: self = .openFilesOfComputer
        case ENOMEM: self = .memory
        default: return nil
        }
    }

    /// - Parameter code: the `errno` of a call that makes a thread, a socket or another object that needs no permission.
    package init(creating code: Int32, otherwise usual: SystemLimit) {
        self = [EPERM, EACCES, ENOSYS].contains(code) ? .filter : SystemLimit(code: code) ?? usual
    }

    /// - Parameter message: the message of dlerror(3); `nil` if a library is missing or unsuitable.
    package init?(loaderMessage message: String) {
        // Their problems are the system's own texts, which dlerror(3) repeats.
        let found = [Self.openFiles, .openFilesOfComputer, .memory].first { message.hasSuffix(": \($0.problem)") }
        guard let limit = found ?? (message.contains("failed to map segment") ? .memory : nil) else { return nil }
        self = limit
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

    /// To follow a colon, without a full stop.
    package var reason: String { "\(problem). \(remedy)" }

    package var problem: String { texts.problem }
    package var remedy: String { texts.remedy }

    private var texts: (problem: String, remedy: String) {
        func system(_ code: Int32) -> String { String(cString: strerror(code)) }
        return switch self {
        case .openFiles: (system(EMFILE), "Raise the limit of open files (ulimit -n 256)")
        case .openFilesOfComputer: (system(ENFILE), "Close other programs")
        case .memory: (system(ENOMEM), "Raise the limit of memory (ulimit -v), or close other programs")
        case .threads:
            ("No thread can be started", "Raise the limits of memory (ulimit -v) and processes (ulimit -u)")
        case .filter:
            (
                "A filter of system calls (seccomp) forbids it",
                "Allow it in the sandbox, or update the container engine, whose filter may be too old"
            )
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

/// A shared library that is missing or damaged: the one that was loaded, or one that it needs.
package struct UnusableLibrary: Sendable, Equatable {
    /// The file's name, for example "libssl.so.3".
    package let file: String

    /// - Parameter message: the message of dlerror(3), which begins with the file; `nil` if it names none.
    package init?(loaderMessage message: String) {
        guard let end = message.firstRange(of: ": ")?.lowerBound else { return nil }
        let name = message[..<end].split(separator: "/").last.map(String.init) ?? ""
        guard name.hasPrefix("lib"), name.contains(".so.") else { return nil }
        file = name
    }

    /// The Debian package, whose name follows from the file's (Debian Policy §8.1).
    package var package: String {
        guard let point = file.firstRange(of: ".so.") else { return file }
        let name = file[..<point.lowerBound], version = file[point.upperBound...]
        // OpenSSL's two libraries are in one package.
        if name == "libcrypto" { return "libssl\(version)" }
        return name.map { $0 == "_" ? "-" : $0.lowercased() }.joined() + (name.last?.isNumber == true ? "-" : "")
            + version
    }
}
