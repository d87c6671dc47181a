import Testing

@testable import MSAL

@Suite("Choice of the key vault")
struct KeyVaultChoiceTests {
    private static func facts(
        _ recorded: DataKeyPlace?, _ source: MSALCacheKeySource, passphrase: Bool = false,
        _ secretService: SecretServiceState? = nil
    ) -> KeyVaultFacts {
        KeyVaultFacts(recorded: recorded, source: source, hasPassphrase: passphrase, secretService: secretService)
    }

    static let choices: [(String, KeyVaultFacts, KeyVaultChoice)] = [
        ("new, not asked yet", facts(nil, .automatic), .checkSecretService),
        ("new, keyring", facts(nil, .automatic, passphrase: true, .ready), .use(.secretService)),
        ("new, no keyring", facts(nil, .automatic, .absent("No bus.")), .use(.keyFile, note: "No bus.")),
        (
            "new, no keyring, passphrase", facts(nil, .automatic, passphrase: true, .absent("No bus.")),
            .use(.passphrase, note: "No bus.")
        ),
        (
            "new, silent keyring, passphrase", facts(nil, .automatic, passphrase: true, .failing("Silent.")),
            .use(.passphrase, note: "Silent.")
        ),
        ("new, key file by name: no bus touched", facts(nil, .keyFile), .use(.keyFile)),
        ("new, keyring by name", facts(nil, .secretService), .use(.secretService)),
        ("new, passphrase by name", facts(nil, .passphrase, passphrase: true), .use(.passphrase)),
        ("key file: no bus touched", facts(.keyFile, .automatic), .use(.keyFile)),
        ("key file, with a passphrase", facts(.keyFile, .automatic, passphrase: true), .use(.keyFile)),
        ("keyring, whatever it says now", facts(.secretService, .automatic, .locked), .use(.secretService)),
        ("keyring, by name", facts(.secretService, .secretService), .use(.secretService)),
        ("key file, keyring by name", facts(.keyFile, .secretService), .move(to: .secretService)),
        ("keyring, key file by name", facts(.secretService, .keyFile), .move(to: .keyFile)),
        ("keyring, passphrase by name", facts(.secretService, .passphrase, passphrase: true), .move(to: .passphrase)),
    ]

    @Test("Depends only on the given facts", arguments: choices)
    func choice(name: String, facts: KeyVaultFacts, choice: KeyVaultChoice) {
        #expect(KeyVaultChoice(facts) == choice)
    }

    /// A keyring that exists but is unusable right now is never replaced by a key file.
    @Test(
        "Is rejected rather than silently weakened",
        arguments: [
            (facts(nil, .automatic, .locked), KeyVaultFailure.Kind.locked),
            (facts(nil, .automatic, .failing("Silent.")), .unanswered),
            (facts(nil, .passphrase), .missing), (facts(.keyFile, .passphrase), .missing),
            (facts(.passphrase, .automatic), .missing),
        ])
    func rejection(facts: KeyVaultFacts, kind: KeyVaultFailure.Kind) {
        guard case .reject(let failure) = KeyVaultChoice(facts) else {
            Issue.record("\(KeyVaultChoice(facts))")
            return
        }
        #expect(failure.kind == kind)
        #expect(!failure.reason.isEmpty && failure.remedy?.isEmpty == false)
    }
}
