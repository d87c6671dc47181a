import OAuthCore

extension MSALPublicClientApplication {
    /// Hands over what a person copied from a browser that could not come back by itself: the address it ended on, also
    /// broken into lines, quoted or without its scheme, or the code alone. An addition of this library.
    ///
    /// Throws what it is instead, and what to paste; the sign-in waits on.
    @discardableResult
    public class func handlePastedResponse(_ text: String) throws -> MSALPastedResponse {
        try translatingErrors(nil) {
            guard let session = InteractiveSessions.waiting, let redirect = session.redirect else {
                throw AuthenticationFailure.user(.nobodyWaits)
            }
            switch PastedResponse(text, redirectURI: redirect) {
            case .address(let url):
                guard handleMSALResponse(url, sourceApplication: nil) else {
                    throw AuthenticationFailure.user(.pasted(.otherSignIn, redirectURI: redirect.url))
                }
                return .address
            case .bareCode(let code):
                guard let url = session.address(ofBareCode: code), handleMSALResponse(url, sourceApplication: nil)
                else { throw AuthenticationFailure.user(.nobodyWaits) }
                return .bareCode
            case .unusable(let reason):
                throw AuthenticationFailure.user(.pasted(reason, redirectURI: redirect.url))
            }
        }
    }
}
