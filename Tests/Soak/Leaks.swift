import Foundation
import Locks

/// Sign-ins, renewals and removals in one process, and what it holds as they go on.
struct Leaks {
    let client: Client
    /// What each round takes and keeps, so that the measuring itself can be tried; every tenth loses an open file as well.
    /// None: nothing.
    let plantedBytes: Int?
    private let kept = Locked<[[UInt8]]>([])
    /// Caches fill, lazily loaded libraries arrive and the allocator takes what it wants before anything is compared.
    private static let warmUp = 0.2
    private static let samples = 10

    func measure(signIns: Int) async throws {
        for _ in 0..<Int(Double(signIns) * Self.warmUp) { try await round() }
        say("usage \(try Usage.now().line)")
        for _ in 0..<Self.samples {
            for _ in 0..<max(1, signIns / Self.samples) { try await round() }
            say("usage \(try Usage.now().line)")
        }
    }

    private func round() async throws {
        let account = try await client.signIn()
        try await client.token(of: account, isRenewed: true)
        try await client.token(of: account, isRenewed: false)
        try client.remove(account)
        if let plantedBytes { try plant(plantedBytes) }
    }

    private func plant(_ count: Int) throws {
        let rounds = kept.withLock {
            // Of zeroes the kernel makes no pages before they are written.
            $0.append([UInt8](repeating: 1, count: count))
            return $0.count
        }
        guard rounds.isMultiple(of: 10) else { return }
        _ = Unmanaged.passRetained(try FileHandle(forReadingFrom: URL(filePath: "/dev/null")))
    }
}
