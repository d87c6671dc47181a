import Foundation
import MSAL

/// Returns an access token: from the cache if possible, otherwise with the user's help.
func accessToken() async throws -> String {
    let configuration = MSALPublicClientApplicationConfig(
        clientId: "your-client-id", redirectUri: "http://localhost",
        authority: try MSALAADAuthority(
            cloudInstance: .publicCloudInstance, audienceType: .azureADMultipleOrgsAudience, rawTenant: nil))
    let application = try MSALPublicClientApplication(configuration: configuration)
    let scopes = ["User.Read"]
    do {
        if let account = try application.allAccounts().first {
            let silent = MSALSilentTokenParameters(scopes: scopes, account: account)
            return try await application.acquireTokenSilent(with: silent).accessToken
        }
    } catch let error as NSError where error.code == MSALError.interactionRequired.rawValue {
        // The cache has no usable token. The user signs in below.
    }
    let interactive = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: MSALWebviewParameters())
    return try await application.acquireToken(with: interactive).accessToken
}
