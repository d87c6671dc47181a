import Glibc
import KeyturnSystem
import MSAL

/// A private log in the state folder. One long enough is kept beside the next.
struct UseLog: Sendable {
    let path: String
    private static let mostBytes = 1 << 24

    init(named name: String, in environment: [String: String]) throws {
        path = BaseDirectory.state(in: environment) + "/keyturn/\(name)"
        try PrivateFolder.make(path.parentFolder)
        try add("")
    }

    func add(_ line: String) throws(Failure) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size >= Self.mostBytes { rename(path, path + ".old") }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unwritable(path, errno, name: "log") }
        defer { close(file) }
        do { try FileDescriptorSink(descriptor: file).write(line) } catch {
            throw .unwritable(error.path, error.code, name: "log")
        }
    }
}
