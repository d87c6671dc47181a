import OAuthCore

/// One refresh at a time for an account, over all processes and applications of a store: a refresh token may be good for
/// one use, and the others can use what the first got.
extension FlowContext {
    /// Does `work` while no other process renews this account's tokens. Reads of the cache belong inside: another may
    /// just have renewed.
    ///
    /// Waits for others, cancellably, and says so when it takes a moment. One whose holder died goes on at once; one
    /// that waits for longer than any renewal takes gives up.
    func renewingAlone<Value>(
        _ homeAccountID: String, _ work: () async throws -> Value
    ) async throws -> Value {
        // Not for a client: a family's refresh token is several clients' own.
        let lease = try await lease(CredentialKey(.refreshToken, homeAccountID: homeAccountID))
        defer { lease.end() }
        return try await work()
    }

    private func lease(_ key: CredentialKey) async throws -> any CredentialLease {
        var wait = LeaseWait()
        while true {
            if let lease = try tryLease(key) {
                if wait.isReported { reporter.succeeded(.waitForRenewal, "The other program is done") }
                return lease
            }
            guard let pause = wait.next() else {
                if wait.isReported { reporter.failed(.waitForRenewal, "The other program does not end") }
                throw AuthenticationFailure.store(
                    CredentialStoreFailure(
                        .busy,
                        reason:
                            "Another program has been renewing this account's tokens for \(Int(wait.waited)) seconds."))
            }
            if wait.reportIsDue {
                reporter.started(.waitForRenewal, "Another program is renewing the tokens: waiting for it")
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

/// How long to wait before the next look: short at first, because a renewal takes a round trip or two.
private struct LeaseWait {
    private static let limit: Double = 180
    private static let longestPause = 0.25
    private static let silence = 1.0

    private(set) var waited: Double = 0
    private var pause = 0.01
    var isReported = false

    var reportIsDue: Bool { !isReported && waited >= Self.silence }

    /// Seconds; `nil`: long enough.
    mutating func next() -> Double? {
        guard waited < Self.limit else { return nil }
        pause = min(pause * 1.5, Self.longestPause)
        waited += pause
        return pause
    }
}
