import KeyturnSystem

/// The room on the disk for the tokens of one response.
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
