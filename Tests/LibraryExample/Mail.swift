import MSAL

@main
struct Mail {
    static let clientID = "11111111-2222-3333-4444-555555555555"
    static let scopes = ["User.Read"]

    static func main() async {
        do {
            let result = try await signIn()
            print(
                "Signed in as \(result.account.username ?? "a user without a name") until \(result.expiresOn ?? Date())"
            )
        } catch let error as NSError {
            let text = [error.localizedDescription, error.localizedRecoverySuggestion].compactMap { $0 }
            FileHandle.standardError.write(Data("Mail: \(text.joined(separator: " "))\n".utf8))
            exit(1)
        }
    }

    static func signIn() async throws -> MSALResult {
        let application = try MSALPublicClientApplication(clientId: clientID)
        if let account = try application.allAccounts().first {
            do {
                return try await application.acquireTokenSilent(
                    with: MSALSilentTokenParameters(scopes: scopes, account: account))
            } catch let error as NSError where error.code == MSALError.interactionRequired.rawValue {}
        }
        return try await application.acquireToken(
            with: MSALDeviceCodeParameters(scopes: scopes) { code in
                let text = "Open \(code.verificationURL) and enter \(code.userCode).\n"
                FileHandle.standardError.write(Data(text.utf8))
            })
    }
}
