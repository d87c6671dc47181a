import Foundation

/// Sign-ins, renewals and removals in one process, and what it holds as they go on.
struct Leaks {
    let client: Client
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
    }
}
