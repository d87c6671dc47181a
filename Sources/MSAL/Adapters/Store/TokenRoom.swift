import Glibc
import KeyturnSystem

enum TokenRoom {
    /// More than the pages that change when a large response is saved in a large store.
    static let bytes = 256 << 10
}

/// Room in a separate file, which must end before the tokens are saved.
final class SpareRoom: CredentialLease {
    private let file: Locked<SpareFile?>

    init(_ file: SpareFile) { self.file = Locked(file) }

    func release() { file.withLock { $0 = nil } }
}

/// Room on the disk for new tokens (docs/decisions/0034).
extension CredentialDatabase {
    /// Allocates room at the end of the write-ahead log, which is where the next commits write. It stays allocated until
    /// a process empties the log.
    func reserveRoom() throws {
        // SQLite begins a transaction there nevertheless, and reads no log.
        guard !connection.isReadOnly else { throw Failure.noRoom(access(path, W_OK) == 0 ? EROFS : errno) }
        try transaction {
            try checkKeyIsCurrent()
            guard let frames = connection.logState?.frames, let page = try number("PRAGMA page_size") else { return }
            try Self.allocate(Self.logHeader + frames * (Int(page) + Self.frameHeader) + TokenRoom.bytes, "\(path)-wal")
        }
    }

    /// The sizes in the file format (https://www.sqlite.org/fileformat2.html#walformat).
    private static let (logHeader, frameHeader) = (32, 24)

    /// Call this under the write lock, because without it another process could write or empty the log meanwhile.
    private static func allocate(_ size: Int, _ log: String) throws {
        let file = Glibc.open(log, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw Failure.noRoom(errno) }
        defer { close(file) }
        do { try DiskRoom.allocate(size, of: file) } catch { throw Failure.noRoom(error.code.rawValue) }
    }
}
