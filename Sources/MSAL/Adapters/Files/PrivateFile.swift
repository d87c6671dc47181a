import Foundation
import Glibc
import KeyturnSystem

/// Files and folders that only their owner can access.
enum PrivateFile {
    /// Has the kind ``CredentialStoreFailureKind/unsafePermissions`` or ``CredentialStoreFailureKind/io``.
    typealias Failure = CredentialStoreFailure

    typealias Identity = FileIdentity
    typealias Version = FileVersion

    /// Creates a folder with mode 0700, and missing parent folders. Throws for a folder that ``checkFolder(_:)`` rejects.
    static func prepareFolder(_ path: String) throws(Failure) {
        var code: Int32 = 0
        do { try PrivateFolder.make(path) } catch {
            // Reported below, unless an existing folder has another problem.
            code = error.code.rawValue
        }
        guard try checkFolder(path) else { throw unwritable("create the folder", path, code: code) }
    }

    /// Throws for a folder that other users can access, or whose path they can change. Returns `false` when it doesn't exist.
    @discardableResult
    static func checkFolder(_ path: String) throws(Failure) -> Bool {
        guard let status = try status(path) else { return false }
        if let problem = folderProblem(status, path) { throw problem }
        guard let distrust = FileTrust.distrust(of: path) else { return true }
        throw notPrivate("\(path) is not safe from other users: \(distrust.problem).", "\(distrust.remedy).")
    }

    /// `nil` when the file doesn't exist. Throws when other users can access or own it, or when it is a link.
    static func identity(_ path: String) throws(Failure) -> Identity? {
        try checkedStatus(path).map(Identity.init)
    }

    static func openIdentity(_ file: Int32) -> Identity? {
        var status = stat()
        return fstat(file, &status) == 0 ? Identity(status) : nil
    }

    /// Whether the path still leads to the open file.
    static func stands(_ file: Int32, at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && openIdentity(file) == Identity(status)
    }

    static func size(_ path: String) throws(Failure) -> Int { Int(try status(path)?.st_size ?? 0) }

    static func version(_ path: String) throws(Failure) -> Version? { try checkedStatus(path).map(Version.init) }

    /// Creates a missing folder with mode 0700. An existing folder may be readable by other users, but not writable.
    static func prepareSharedFolder(_ path: String) throws(Failure) {
        guard let status = try status(path) else { return try prepareFolder(path) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), FileTrust.distrust(of: path) == nil else {
            throw notPrivate(
                "\(path) is a link, or other users can change its content.", "Use a file in a private folder.")
        }
    }

    static func create(_ path: String) throws(Failure) -> Bool {
        let file = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if file >= 0 {
            close(file)
            return true
        }
        guard errno == EEXIST else { throw failure("create", path) }
        return false
    }

    static func read(_ path: String, atMost limit: Int) throws(Failure) -> [UInt8]? {
        guard let file = try open(path) else { return nil }
        return try content(of: file, path, atMost: limit).bytes
    }

    /// Opens a file for reading. Returns `nil` when it doesn't exist. Throws like ``identity(_:)``.
    static func open(_ path: String) throws(Failure) -> OpenedFile? {
        guard try identity(path) != nil else { return nil }
        do { return try OpenedFile(path, follows: false) } catch {
            // Another program removed it since.
            if error.isMissing { return nil }
            throw unreadable(path, error)
        }
    }

    /// The current content of an open file, and its version before it was read.
    static func content(
        of file: OpenedFile, _ path: String, atMost limit: Int
    ) throws(Failure) -> (bytes: [UInt8], version: Version) {
        do throws(PlainFile.Failure) {
            let version = try file.version
            return (try file.content(atMost: limit), version)
        } catch { throw unreadable(path, error) }
    }

    private static func unreadable(_ path: String, _ error: PlainFile.Failure) -> Failure {
        if case .system(let code) = error { return failure("read", path, code: code) }
        return Failure(.io, reason: "Can't read \(path): \(error.reason).")
    }

    /// Writes a file durably with access for its owner only. Returns `false` when it exists and must not be replaced,
    /// or isn't meant any more. See ``DurableFile/write(_:to:replaces:syncsName:of:while:)``.
    @discardableResult
    static func write(
        _ bytes: [UInt8], to path: String, replaces: Bool = true, syncsName: Bool = true, of owner: String? = nil,
        while isMeant: () -> Bool = { true }
    ) throws(Failure) -> Bool {
        do {
            try DurableFile.write(bytes, to: path, replaces: replaces, syncsName: syncsName, of: owner, while: isMeant)
            return true
        } catch {
            if error.code == .ECANCELED || error.code == .EEXIST && !replaces { return false }
            throw unwritable("write", path, code: error.code.rawValue)
        }
    }

    static func reserve(_ bytes: Int, beside path: String) throws(Failure) -> SpareFile {
        do { return try SpareFile(beside: path, bytes: bytes) } catch { throw noRoom(path, code: error.code.rawValue) }
    }

    static func noRoom(_ path: String, code: Int32) -> Failure {
        guard SystemLimit(code: code) == nil else { return failure("reserve room for new tokens in", path, code: code) }
        return Failure(
            .io, reason: "No room for new tokens in \(path): \(systemReason(code)). None were requested.",
            remedy: PrivateFolder.remedy(for: code))
    }

    static func noLocks(_ path: String, code: Int32) -> Failure {
        Failure(
            .io, reason: "The file system with \(path) has no file locks: \(systemReason(code)).",
            remedy: "Keep the cache on a local disk: set XDG_STATE_HOME, or the path of the cache in the configuration."
        )
    }

    /// Renames a file and its companions to the first free name of the form `NAME.set-aside-N`. Returns the new name.
    static func setAside(_ path: String, companions: [String]) throws(Failure) -> String {
        var number = 1
        // Unlike rename(2), link(2) never replaces an existing file.
        while link(path, "\(path).set-aside-\(number)") != 0 {
            guard errno == EEXIST else { throw failure("set aside", path) }
            number += 1
        }
        let place = "\(path).set-aside-\(number)"
        for companion in companions where rename(path + companion, place + companion) != 0 && errno != ENOENT {
            throw failure("set aside", path + companion)
        }
        guard unlink(path) == 0 else { throw failure("set aside", path) }
        return place
    }

    static func setAsideFiles(of path: String) -> [String] { files(beside: path, isSetAside) }

    /// Deletes these files and their companions. Throws after it has deleted all that it can.
    static func deleteSetAside(of path: String, companions: [String]) throws(Failure) -> [String] {
        let found = files(beside: path) { rest in
            ([""] + companions).contains { rest.hasSuffix($0) && isSetAside(rest.dropLast($0.count)) }
        }
        let failures = found.compactMap { file in
            unlink(file) == 0 || errno == ENOENT ? nil : failure("delete", file).reason
        }
        guard failures.isEmpty else {
            let rest = "All other records and files that were set aside are deleted."
            throw Failure(.io, reason: "\(failures.joined(separator: " ")) \(rest)")
        }
        return found.filter { file in !companions.contains { file.hasSuffix($0) } }
    }

    private static func isSetAside(_ rest: Substring) -> Bool { rest.wholeMatch(of: #/\.set-aside-[0-9]+/#) != nil }

    private static func files(beside path: String, _ isMeant: (Substring) -> Bool) -> [String] {
        let (folder, file) = (path.parentFolder, path.fileName)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(file) && isMeant($0.dropFirst(file.count)) }.sorted()
            .map { "\(folder)/\($0)" }
            // A folder of this name isn't this program's.
            .filter { ((try? status($0))?.st_mode ?? 0) & S_IFMT == S_IFREG }
    }

    static func failure(_ verb: String, _ path: String, code: Int32 = errno) -> Failure {
        Failure(
            .io, reason: "Can't \(verb) \(path): \(systemReason(code, hasRemedy: false)).",
            remedy: SystemLimit(code: code).map { "\($0.remedy)." })
    }

    /// The same for a file that a sign-in or refresh writes.
    static func unwritable(_ verb: String, _ path: String, code: Int32) -> Failure {
        var failure = failure(verb, path, code: code)
        failure.remedy = failure.remedy ?? PrivateFolder.remedy(for: code)
        return failure
    }

    private static func status(_ path: String) throws(Failure) -> stat? {
        var status = stat()
        if lstat(path, &status) == 0 { return status }
        let code = errno
        if code == ENOTDIR, let obstacle = obstacle(to: path) {
            throw Failure(
                .io, reason: "\(path) can't exist: \(obstacle) is not a folder.",
                remedy: "Set HOME or XDG_STATE_HOME to a folder, or name a file elsewhere.")
        }
        guard code == ENOENT else { throw failure("access", path, code: code) }
        return nil
    }

    private static func obstacle(to path: String) -> String? {
        var status = stat()
        var folder = path.parentFolder
        while stat(folder, &status) != 0, folder.count > 1 { folder = folder.parentFolder }
        return status.st_mode & S_IFMT == S_IFDIR ? nil : folder
    }

    private static func checkedStatus(_ path: String) throws(Failure) -> stat? {
        guard let status = try status(path) else { return nil }
        let other = "Move it away, or use another file."
        guard status.st_mode & S_IFMT == S_IFREG else { throw notPrivate("\(path) is not a regular file.", other) }
        guard status.st_uid == geteuid() else { throw notPrivate("\(path) belongs to another user.", other) }
        guard status.st_mode & 0o077 == 0 else {
            throw notPrivate("Other users can access \(path).", "If you trust it, run: chmod 600 '\(path)'")
        }
        return status
    }

    /// Suggests to change the mode only for folders of this program: a changed /tmp or home would lock others out.
    static func folderProblem(_ status: stat, _ path: String) -> Failure? {
        let other = "Use a file in another folder, which only you can access (mode 0700)."
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return notPrivate("\(path) is a link, or not a folder.", other)
        }
        guard status.st_uid == geteuid() else {
            return notPrivate("The folder \(path) belongs to another user.", other)
        }
        guard status.st_mode & 0o077 != 0 else { return nil }
        let isOfThisProgram = path.fileName == XDGDirectories.application
        let mayChange = isOfThisProgram && status.st_mode & (S_ISVTX | S_ISGID | 0o022) == 0
        return notPrivate(
            "Other users can access the folder \(path).",
            mayChange ? "If you trust its content, run: chmod 700 '\(path)'" : other)
    }

    private static func notPrivate(_ reason: String, _ remedy: String) -> Failure {
        Failure(.unsafePermissions, reason: reason, remedy: remedy)
    }
}
