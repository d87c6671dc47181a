import Foundation
import KeyturnSystem

/// Sign-ins, refreshes and removals in one process, and its resource usage over time.
struct Leaks {
    let client: Client
    /// The bytes that each round allocates and keeps, to test the measurement itself; every tenth round leaks an open
    /// file too. `nil`: nothing.
    let plantedBytes: Int?
    private let kept = Locked<[[UInt8]]>([])
    /// The warm-up: caches fill, lazily loaded libraries arrive and the allocator takes its memory before the first
    /// measurement.
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
        try await client.token(of: account, isRefreshed: true)
        try await client.token(of: account, isRefreshed: false)
        try client.remove(account)
        if let plantedBytes { try plant(plantedBytes) }
    }

    private func plant(_ count: Int) throws {
        let rounds = kept.withLock {
            // The kernel allocates no pages for zeroes before they are written.
            $0.append([UInt8](repeating: 1, count: count))
            return $0.count
        }
        guard rounds.isMultiple(of: 10) else { return }
        _ = Unmanaged.passRetained(try FileHandle(forReadingFrom: URL(filePath: "/dev/null")))
    }
}
