import Foundation

/// The account providers of a program, called one at a time, because providers need not be thread-safe. A provider may call the application again.
final class ExternalAccounts {
    private let providers: [any MSALExternalAccountProviding]
    private let oneAtATime = NSRecursiveLock()

    init(_ providers: [any MSALExternalAccountProviding]) { self.providers = providers }

    var isEmpty: Bool { providers.isEmpty }

    func accounts(
        matching parameters: MSALAccountEnumerationParameters
    ) -> (accounts: [MSALAccount], failures: [any Error]) {
        var accounts: [MSALAccount] = []
        let failures = callAll { provider in
            accounts += try provider.accounts(with: parameters).map { MSALAccount(external: $0) }
        }
        return (accounts, failures)
    }

    func update(_ account: MSALAccount, idTokenClaims: [String: Any]) -> [any Error] {
        callAll { try $0.update(account, idTokenClaims: idTokenClaims) }
    }

    func remove(_ account: MSALAccount, wipeAccount: Bool) -> [any Error] {
        callAll { try $0.remove(account, wipeAccount: wipeAccount, tenantProfiles: account.tenantProfiles) }
    }

    private func callAll(_ call: (any MSALExternalAccountProviding) throws -> Void) -> [any Error] {
        oneAtATime.withLock {
            providers.compactMap { provider in
                do {
                    try call(provider)
                    return nil
                } catch { return error }
            }
        }
    }
}
