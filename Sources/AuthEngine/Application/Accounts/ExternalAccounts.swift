import Foundation

/// The account stores that a program brings along, asked one call at a time: they need not be safe from several threads.
final class ExternalAccounts {
    private let providers: [any MSALExternalAccountProviding]
    private let oneAtATime = NSLock()

    init(_ providers: [any MSALExternalAccountProviding]) {
        self.providers = providers
    }

    var isEmpty: Bool { providers.isEmpty }

    /// Those that could be had, each as an account of this library, and what the other providers threw.
    func accounts(
        matching parameters: MSALAccountEnumerationParameters
    ) -> (accounts: [MSALAccount], failures: [any Error]) {
        var accounts: [MSALAccount] = []
        let failures = askAll { provider in
            accounts += try provider.accounts(with: parameters).map { MSALAccount(external: $0) }
        }
        return (accounts, failures)
    }

    func update(_ account: MSALAccount, idTokenClaims: [String: Any]) -> [any Error] {
        askAll { try $0.update(account, idTokenClaims: idTokenClaims) }
    }

    func remove(_ account: MSALAccount, wipeAccount: Bool) -> [any Error] {
        askAll { try $0.remove(account, wipeAccount: wipeAccount, tenantProfiles: account.tenantProfiles) }
    }

    /// A provider that fails does not keep the others from being asked.
    private func askAll(_ ask: (any MSALExternalAccountProviding) throws -> Void) -> [any Error] {
        oneAtATime.withLock {
            providers.compactMap { provider in
                do {
                    try ask(provider)
                    return nil
                } catch {
                    return error
                }
            }
        }
    }
}
