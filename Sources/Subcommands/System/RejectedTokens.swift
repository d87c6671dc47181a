import KeyturnCrypto
import KeyturnSystem

/// The tokens that a host rejected although they seem valid, by their digests. git asks once and erases: without this, the next
/// request would get the same token again.
struct RejectedTokens: Sendable {
    private let path: String

    /// A host rejects few tokens, and each for its lifetime only.
    private static let most = 32

    init(in environment: [String: String], named name: String = "rejected") {
        path = BaseDirectory.state(in: environment) + "/keyturn/\(name)"
    }

    func contains(_ token: String) -> Bool { digests.contains(Self.digest(token)) }

    /// Remembers a token. Without it, the host only rejects the token once more.
    func add(_ token: String) {
        let digest = Self.digest(token)
        write(digests.filter { $0 != digest } + [digest])
    }

    func remove(_ token: String) {
        guard contains(token) else { return }
        write(digests.filter { $0 != Self.digest(token) })
    }

    private func write(_ digests: [String]) {
        let text = digests.suffix(Self.most).joined(separator: "\n")
        try? PrivateFolder.make(path.parentFolder)
        try? DurableFile.write(Array(text.utf8), to: path, replaces: true, syncsName: false)
    }

    private var digests: [String] {
        let bytes = (try? PlainFile.read(path, atMost: 1 << 14)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func digest(_ token: String) -> String { SHA2.sha256(Array(token.utf8)).hexadecimal }
}
