import OAuthCore

/// Serialises refreshes of an account across all processes and applications of a store. A refresh token may be valid
/// for one use only, and the others can use the new tokens.
extension FlowContext {
    /// Runs `work` while no other process refreshes this account's tokens. Read the cache inside, because another
    /// process may just have refreshed it.
    ///
    /// Waits with cancellation, and reports a longer wait. Continues at once when the other process exits; throws when
    /// the wait exceeds any plausible refresh.
    func renewingAlone<Value>(
        _ homeAccountID: String, _ work: () async throws -> Value
    ) async throws -> Value {
        // Without the client, because a family refresh token is shared by several clients.
        let lease = try await lease(CredentialKey(.refreshToken, homeAccountID: homeAccountID))
        defer { lease.end() }
        return try await work()
    }

    private func lease(_ key: CredentialKey) async throws -> any CredentialLease {
        var wait = LeaseWait()
        while true {
            if let lease = try tryLease(key) {
                if wait.isReported { reporter.succeeded(.waitForRefresh, "The other program has finished") }
                return lease
            }
            guard let pause = wait.next() else {
                if wait.isReported { reporter.failed(.waitForRefresh, "The other program is still refreshing") }
                throw AuthenticationFailure.store(
                    CredentialStoreFailure(
                        .busy,
                        reason:
                            "Another program has been refreshing this account's tokens for \(Int(wait.waited)) seconds."
                    ))
            }
            if wait.reportIsDue {
                reporter.started(.waitForRefresh, "Waiting for another program that is refreshing the tokens")
                wait.isReported = true
            }
            try await dependencies.time.sleep(seconds: pause)
        }
    }

    private func tryLease(_ key: CredentialKey) throws -> (any CredentialLease)? {
        do throws(CredentialStoreFailure) {
            return try dependencies.credentials.lease(key)
        } catch {
            throw AuthenticationFailure.store(error)
        }
    }
}

/// Determines the pauses between attempts: short at first, because a refresh takes only a round trip or two.
private struct LeaseWait {
    private static let limit: Double = 180
    private static let longestPause = 0.25
    private static let silence = 1.0

    private(set) var waited: Double = 0
    private var pause = 0.01
    var isReported = false

    var reportIsDue: Bool { !isReported && waited >= Self.silence }

    /// Returns the next pause in seconds, or `nil` after the time limit.
    mutating func next() -> Double? {
        guard waited < Self.limit else { return nil }
        pause = min(pause * 1.5, Self.longestPause)
        waited += pause
        return pause
    }
}
