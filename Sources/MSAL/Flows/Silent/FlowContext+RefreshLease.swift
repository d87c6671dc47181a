import KeyturnSystem
import OAuthCore

/// Serialises refreshes of an account across all processes and applications of a store. A refresh token may be valid
/// for one use only, and the others can use the new tokens.
extension FlowContext {
    /// Runs `work` while no other process refreshes this account's tokens. Read the cache inside, because another
    /// process may just have refreshed it.
    ///
    /// Waits with cancellation, and reports a longer wait. Continues at once when the other process exits; throws when
    /// the wait exceeds any plausible refresh (``leasePatience``).
    func refreshingAlone<Value>(
        _ homeAccountID: String, _ work: () async throws -> Value
    ) async throws -> Value {
        // Without the client, because a family refresh token is shared by several clients.
        let lease = try await lease(CredentialKey(.refreshToken, homeAccountID: homeAccountID))
        defer { lease.release() }
        return try await work()
    }

    private func lease(_ key: CredentialKey) async throws -> any CredentialLease {
        var wait = TurnWait(limit: Self.leasePatience)
        var isReported = false
        while true {
            if let lease = try AuthenticationFailure.ofStore(try dependencies.credentials.lease(key)) {
                if isReported { reporter.succeeded(.waitForRefresh, "The other program has finished") }
                return lease
            }
            // A refresh usually takes only a round trip or two.
            let isLong = wait.waited >= Self.leaseSilence
            let holder = isLong ? dependencies.credentials.leaseHolder(key) : nil
            if isLong, !isReported {
                let name = holder?.name ?? "another program"
                reporter.started(.waitForRefresh, "Waiting for \(name), which is refreshing the tokens")
                isReported = true
            }
            guard let pause = wait.next(holder) else {
                reporter.failed(.waitForRefresh, "The other program is still refreshing")
                throw AuthenticationFailure.machine(.refreshHeldUp(by: holder, seconds: Int(wait.waited)))
            }
            try await dependencies.time.sleep(seconds: pause)
        }
    }

    /// Seconds to wait for another process: a request's time limit, and time to save the response.
    static let leasePatience = 45.0
    private static let leaseSilence = 1.0
}
