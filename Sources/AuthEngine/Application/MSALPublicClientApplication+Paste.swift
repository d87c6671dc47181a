import OAuthCore

extension MSALPublicClientApplication {
    /// Completes a sign-in with a response that the user copied from a browser. Not in MSAL for iOS and macOS.
    ///
    /// Accepts the final URL, even if it is wrapped, quoted or lacks its scheme, or the authorization code alone.
    ///
    /// Throws an error that says what the text is and what to paste instead. The sign-in continues to wait.
    @discardableResult
    public class func handlePastedResponse(_ text: String) throws -> MSALPastedResponse {
        try translatingErrors(nil) {
            guard let session = InteractiveSessions.waiting, let redirect = session.redirect else {
                throw AuthenticationFailure.user(.noWaitingSignIn)
            }
            switch PastedResponse(text, redirectURI: redirect) {
            case .address(let url):
                guard handleMSALResponse(url, sourceApplication: nil) else {
                    throw AuthenticationFailure.user(.pasted(.otherSignIn, redirectURI: redirect.url))
                }
                return .address
            case .bareCode(let code):
                guard let url = session.address(ofBareCode: code), handleMSALResponse(url, sourceApplication: nil)
                else { throw AuthenticationFailure.user(.noWaitingSignIn) }
                return .bareCode
            case .unusable(let reason):
                throw AuthenticationFailure.user(.pasted(reason, redirectURI: redirect.url))
            }
        }
    }
}
