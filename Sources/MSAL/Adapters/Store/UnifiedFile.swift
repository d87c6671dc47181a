import KeyturnSystem

/// A unified cache file that programs of several vendors read and write.
struct UnifiedFile: Sendable {
    let path: String

    struct Content {
        /// The file, which stays open. `nil` if there was none.
        var file: OpenedFile?
        var version: PrivateFile.Version
        var bytes: [UInt8]
        /// Empty for an empty or incomplete file.
        var payload = UnifiedPayload()
        var flaw: Flaw?
    }

    /// Why a content may be that of a file that another program is writing.
    enum Flaw: Equatable {
        case empty
        case malformed(UnifiedDocument.Malformed)
    }

    struct Replacement {
        var before: Content
        var after: UnifiedPayload
        var bytes: [UInt8]
    }

    /// The file for ``RefreshLease``. It exists if the cache ever had content that this program wrote or refreshed.
    var leasePath: String { "\(path).renewal" }

    private static let mostBytes = 256 << 20

    /// The current content, complete or not. A missing file is an empty cache.
    func read() throws(PrivateFile.Failure) -> Content {
        guard let file = try PrivateFile.open(path) else { return Content(version: .none, bytes: []) }
        return try content(of: file)
    }

    /// The current content of a file that was opened at this path. Another one may be there now.
    func content(of file: OpenedFile) throws(PrivateFile.Failure) -> Content {
        let (bytes, version) = try PrivateFile.content(of: file, path, atMost: Self.mostBytes)
        guard bytes.count <= Self.mostBytes else {
            throw CredentialStoreFailure(.unsupported, reason: "\(path) is too large for a token cache.")
        }
        var content = Content(file: file, version: version, bytes: bytes)
        do throws(UnifiedDocument.Malformed) {
            content.payload = try UnifiedPayload(parsing: bytes)
            if UnifiedDocument.isBlank(bytes) { content.flaw = .empty }
        } catch { content.flaw = .malformed(error) }
        return content
    }

    func holds(_ bytes: [UInt8]) -> Bool { (try? PrivateFile.read(path, atMost: Self.mostBytes)) == bytes }

    private func stillHas(_ content: Content) -> Bool {
        // link(2) finds out whether there is a file now.
        guard let file = content.file else { return true }
        return (try? PrivateFile.version(path))?.identity == content.version.identity
            && (try? PrivateFile.content(of: file, path, atMost: Self.mostBytes))?.bytes == content.bytes
    }

    /// Replaces the content. Returns `false` if another program has changed the file since.
    func replace(_ replacement: Replacement, evenIfChanged: Bool) throws(PrivateFile.Failure) -> Bool {
        // From now on, an empty file is not an empty cache.
        _ = try PrivateFile.create(leasePath)
        let before = replacement.before
        return try PrivateFile.write(replacement.bytes, to: path, replaces: before.file != nil) {
            evenIfChanged || stillHas(before)
        }
    }

    /// Nobody completes the file.
    func failure(_ flaw: Flaw) -> CredentialStoreFailure {
        switch flaw {
        case .empty:
            CredentialStoreFailure(
                .unsupported,
                reason:
                    "\(path) is empty, but was not. Another program emptied it. No program is known to be writing it.",
                remedy: "Restore a backup. To start with an empty cache, remove the file.")
        case .malformed(let error):
            CredentialStoreFailure(
                .unsupported, reason: "\(path) is not a token cache: \(error.explanation). It was left unchanged.")
        }
    }

    /// The wait for the program that writes the file is over.
    func unfinished(_ flaw: Flaw, writer: RunningProcess?) -> CredentialStoreFailure {
        let state = flaw == .empty ? "empty" : "incomplete"
        let cause = writer.map { "\($0) has not finished writing it." } ?? "An unknown program keeps changing it."
        return CredentialStoreFailure(
            .busy, reason: "\(path) is \(state). \(cause) It was left unchanged.",
            remedy: "Try again when that program has finished or ended.")
    }

    /// Another program undoes a change again and again.
    func overwritten() -> CredentialStoreFailure {
        let identity = try? PrivateFile.identity(path)
        let writer = identity.flatMap { RunningProcess.writing($0, at: path) }?.description ?? "Another program"
        return CredentialStoreFailure(
            .busy, reason: "\(writer) keeps overwriting \(path). The change is lost.",
            remedy: "Try again when that program has ended.")
    }

    /// The wait for the lock is over.
    func locked() -> CredentialStoreFailure {
        let holder = SharedCacheLock.holder(on: path)?.description ?? "Another program"
        return CredentialStoreFailure(
            .busy, reason: "\(holder) has locked \(path) for too long.",
            remedy: "Try again. If no program uses it, remove \(path).lockfile.")
    }
}
