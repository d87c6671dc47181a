import KeyturnSystem

extension UnifiedFile {
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
        let state =
            switch flaw {
            case .empty: "empty"
            case .malformed: "incomplete"
            }
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
