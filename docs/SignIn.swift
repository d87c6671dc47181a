import Foundation
import MSAL

/// An access token: from the cache if it can be had so, else with the person's help.
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
        // Nothing in the cache will do. The person is asked below.
    }
    let interactive = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: MSALWebviewParameters())
    return try await application.acquireToken(with: interactive).accessToken
}
