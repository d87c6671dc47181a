import MSAL

let clientID = "11111111-2222-3333-4444-555555555555"
let scopes = ["User.Read"]

let application = try MSALPublicClientApplication(clientId: clientID)
let result: MSALResult
do {
    guard let account = try application.allAccounts().first else { throw NSError(domain: "Mail", code: 0) }
    result = try await application.acquireTokenSilent(
        with: MSALSilentTokenParameters(scopes: scopes, account: account))
} catch {
    result = try await application.acquireToken(
        with: MSALDeviceCodeParameters(scopes: scopes) { code in
            print("Open \(code.verificationURL) and enter \(code.userCode).")
        })
}
print("Signed in as \(result.account.username ?? "a user without a name") until \(result.expiresOn ?? Date())")
