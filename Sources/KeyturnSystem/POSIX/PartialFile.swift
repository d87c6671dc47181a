import Foundation
import Glibc

/// The temporary files of ``DurableFile``: `NAME.RANDOM.part`.
///
/// The writing process holds a lock on the file, which ends with the process. An unlocked file is one that a killed process
/// left, and may contain a secret.
package enum PartialFile {
    /// Creates a file with mode 0600 and a unique name.
    package static func make(for path: String) throws(POSIXError) -> (file: Int32, path: String) {
        while true {
            let partial = "\(path).\(random())\(ending)"
            let file = open(partial, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
            try POSIXError.check(file)
            // Before the lock, another process may have deleted it. Without locks, the file system keeps all partial files.
            if lock(file) != false, isNamed(file) { return (file, partial) }
            close(file)
        }
    }

    /// Deletes the partial files of this file that killed processes left.
    package static func removeAbandoned(of path: String) {
        removeAbandoned(beside: path) { isPartialName($0, of: $1) }
    }

    /// Deletes those of this file and of all files whose names start with its name, for example `cache.db` and
    /// `cache.db.anchor`.
    package static func removeAbandoned(ofAllWith owner: String) {
        removeAbandoned(beside: owner) { name, owner in
            guard let dot = name.dropLast(ending.count).lastIndex(of: ".") else { return false }
            let file = name[..<dot]
            return (file == owner || file.hasPrefix("\(owner).")) && isPartialName(name, of: String(file))
        }
    }

    /// Whether this is the name of a partial file of `file`.
    static func isPartialName(_ name: String, of file: String) -> Bool {
        guard name.hasPrefix("\(file)."), name.hasSuffix(ending) else { return false }
        let random = name.utf8.dropFirst(file.utf8.count + 1).dropLast(ending.utf8.count)
        return fewestDigits...mostDigits ~= random.count
            && random.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }

    private static let ending = ".part"
    /// Earlier versions didn't pad the number.
    private static let fewestDigits = 9
    private static let mostDigits = 13

    private static func random() -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return String(repeating: "0", count: mostDigits - number.count) + number
    }

    private static func removeAbandoned(beside path: String, _ isMeant: (_ name: String, _ file: String) -> Bool) {
        let folder = path.parentFolder
        let file = path.fileName
        guard let directory = opendir(folder.isEmpty ? "." : folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isMeant(name, file) { removeUnlessWritten(folder.isEmpty ? name : "\(folder)/\(name)") }
        }
    }

    /// Deletes a file of this user unless a process is writing it.
    private static func removeUnlessWritten(_ path: String) {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            lock(file) == true
        else { return }
        unlink(path)
    }

    /// Tries to lock the file. Returns `nil` on a file system without locks.
    private static func lock(_ file: Int32) -> Bool? {
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
        return errno == EWOULDBLOCK ? false : nil
    }

    private static func isNamed(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_nlink > 0
    }
}
