import MSAL

/// A wrapper with continuations, and its own completion handlers, which it passes on.
final class TokenService {
    enum Failure: Error {
        case noAccount
        case noResult
    }

    private let application: MSALPublicClientApplication
    private(set) var lastResult: MSALResult?

    init(application: MSALPublicClientApplication) { self.application = application }

    convenience init(clientID: String) throws {
        try self.init(application: MSALPublicClientApplication(clientId: clientID))
    }

    func token(scopes: [String]) async throws -> String {
        guard let account = try? application.allAccounts().first else { throw Failure.noAccount }
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        let result: MSALResult = try await withCheckedThrowingContinuation { continuation in
            application.acquireTokenSilent(with: parameters) { result, error in
                if let result {
                    continuation.resume(returning: result)
                } else {
                    continuation.resume(throwing: error ?? Failure.noResult)
                }
            }
        }
        return result.accessToken
    }

    /// The library's own block type, passed on unchanged.
    func token(for account: MSALAccount, completion: @escaping MSALCompletionBlock) {
        application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account), completionBlock: completion)
    }

    /// A method as a completion block.
    func keep(for account: MSALAccount) {
        application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account), completionBlock: finish)
    }

    private func finish(_ result: MSALResult?, _ error: Error?) { lastResult = result }

    /// A block of the wrapper, called in the library's block.
    func result(for account: MSALAccount, completion: @escaping (Result<MSALResult, Error>) -> Void) {
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        application.acquireTokenSilent(with: parameters) { result, error in
            self.lastResult = result
            if let result { return completion(.success(result)) }
            completion(.failure(error ?? Failure.noResult))
        }
    }

    func future(for account: MSALAccount) -> Future<String> {
        Future { promise in
            self.application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
            ) { result, error in
                switch (result, error) {
                case (let result?, _): promise(.success(result.accessToken))
                case (_, let error?): promise(.failure(error))
                default: promise(.failure(Failure.noResult))
                }
            }
        }
    }

    /// Unused results, which the importer allows.
    func warmUp() async throws {
        try application.allAccounts()
        try application.accounts(for: MSALAccountEnumerationParameters(identifier: "id"))
        try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        try await application.currentAccount(with: nil)
        MSALCacheConfig.defaultKeychainSharingGroup()
        MSALClaimsRequest().jsonString()
    }
}

/// A plugin between a script and the library: it returns dictionaries, and reads the current account at once.
final class AccountPlugin: NSObject {
    var application: MSALPublicClientApplication?

    func handle(_ method: String, arguments: [String: Any], result: @escaping PluginResult) {
        guard let application else { return result(PluginError(code: "NO_APPLICATION", message: nil)) }
        switch method {
        case "currentAccount": result(currentAccount()?.username)
        case "accounts":
            application.accountsFromDevice(for: MSALAccountEnumerationParameters()) { accounts, error in
                if let error { return result(PluginError(code: "ACCOUNTS", message: error.localizedDescription)) }
                result(accounts?.map { ["username": $0.username ?? "", "id": $0.identifier ?? ""] })
            }
        case "device":
            application.getDeviceInformation(with: nil) { information, error in
                result(information.map { $0.deviceMode == .shared } ?? error as Any?)
            }
        default: result(nil)
        }
    }

    /// Reads the block's result right after the call: without a broker the block has run by then.
    func currentAccount() -> MSALAccount? {
        var account: MSALAccount?
        application?.getCurrentAccount(with: MSALParameters()) { current, _, _ in account = current }
        return account
    }
}
