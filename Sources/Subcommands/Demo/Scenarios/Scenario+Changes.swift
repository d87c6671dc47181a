import DemoAuthority

extension Scenario {
    /// By the scenario's name. Its story, its steps and its lesson are in `Resources/scenarios.json`.
    static let changes: [String: @Sendable (inout Scenario) -> Void] = [
        "consent-declined": { $0.client.scopes = ["User.Read", "Mail.Read"] },
        "conditional-access": { $0.settings.policies.protectedTenants = [Directory.contoso] },
        "password-changed": { $0.revoke(because: .passwordChanged) },
        "sign-in-expiry": {
            $0.revoke(because: .passwordChanged)
            $0.settings.lifetimes.refreshToken = 43_200
            $0.settings.statesRefreshLifetime = true
        },
        "personal-account": { $0.client.segment = "consumers" },
        "b2c-policy": { ($0.client.segment, $0.client.type) = ("tfp/woodgrove/b2c_1_signin", .b2c) },
        "external-tenant": { ($0.client.segment, $0.client.type) = ("adventure", .ciam) },
        "three-apps": { $0.client.redirectURIs = (1...3).map { "http://localhost/app\($0)" } },
        "adal-migration": { $0.client.adalUsername = ann },
        "throttled": { $0.interrupt(Interruption(status: 429, retryAfter: 2, requests: 1)) },
        "outage": { $0.interrupt(Interruption(status: 503, retryAfter: 1, requests: 1)) },
        "wrong-clock": { $0.settings.clockOffset = 500 },
        "api-mfa": { $0.client.capabilities = ["CP1"] },
        "fresh-sign-in": { $0.settings.freshness = 5 },
        "managed-server": {
            ($0.client.segment, $0.client.type) = ("\(Directory.contoso)/v2.0", .oidc)
            $0.client.isManaged = true
        },
        "key-rotation": {
            $0.settings.rotatesKeys = true
            // One authority for sign-in and refresh, and so one key set.
            $0.client.segment = Directory.contoso
        },
        "device-code": {
            // Polls follow each other quickly, so that the audience sees three of them.
            $0.settings.lifetimes.devicePollInterval = 1
            $0.settings.busyPoll = 2
        },
        "blocked-device-code": { $0.settings.policies.blocksDeviceCodes = true },
        "pushed-request": { $0.settings.pushedRequests = .required },
        "slow-network": {
            $0.settings.delay = 0.5
            // One authority for sign-in and refresh, so that its metadata is cached.
            $0.client.segment = Directory.contoso
        },
        "unregistered-redirect": { $0.client.redirectURIs = ["http://localhost/callback", "http://localhost"] },
        "wrong-client-id": { $0.client.clientID = "6b657974-7572-4e00-8000-64656d6f9999" },
        "tampered-token": {
            let faults = ["wrong-signature", "wrong-audience", "wrong-nonce"].compactMap { Fault(named: $0) }
            $0.settings.faults = Array(faults.prefix(1))
            $0.settings.laterFaults = faults.dropFirst().map { [$0] } + [[]]
        },
        "replayed-code": { $0.revoke(because: .codeAlreadyUsed) },
        "lost-device": { $0.revoke(because: .passwordChanged) },
        "untrusted-certificate": { $0.client.usesUntrustedTLS = true },
    ]

    private mutating func revoke(because reason: AuthorityErrorCode) {
        refreshEachTime()
        settings.policies.revocation = reason
    }

    private mutating func interrupt(_ interruption: Interruption) {
        refreshEachTime()
        settings.interruption = interruption
    }

    /// Makes access tokens so short-lived that every silent request refreshes.
    private mutating func refreshEachTime() { settings.lifetimes.accessToken = 45 }
}
