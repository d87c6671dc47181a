import Foundation
import OAuthCore

extension MSALPublicClientApplication {
    /// Completes a sign-in with a response that the user copied from a browser. Not in MSAL for iOS and macOS.
    ///
    /// Accepts the final URL, even if it is wrapped, quoted, escaped, among other lines or lacks its scheme, or the
    /// authorization code alone or with its state (`code#state`).
    ///
    /// Throws an error that says what the text is and what to paste instead. The sign-in continues to wait.
    @discardableResult
    public class func handlePastedResponse(_ text: String) throws -> MSALPastedResponse {
        try translatingErrors {
            guard let session = InteractiveSessions.latest(), let redirect = session.redirect else {
                throw AuthenticationFailure.user(.noWaitingSignIn)
            }
            let pasted = PastedResponse(text, redirectURI: redirect)
            func deliver(_ url: URL) -> Bool {
                // The error below says why it isn't the response.
                session.leaveUnreported(url)
                return handleMSALResponse(url, sourceApplication: nil)
            }
            if case .address(let url) = pasted, deliver(url) { return .address }
            // A line of its own, next to lines that aren't part of it.
            for line in text.split(whereSeparator: \.isNewline) where line.utf8.count < text.utf8.count {
                guard case .address(let url) = PastedResponse(String(line), redirectURI: redirect) else { continue }
                if deliver(url) { return .address }
            }
            switch pasted {
            case .address(let url):
                let parameters = AuthorizationResponse.parameters(of: url)
                throw AuthenticationFailure.user(
                    .pasted(
                        parameters["state"] == nil ? .withoutState(error: parameters["error"]) : .otherSignIn,
                        redirectURI: redirect.url))
            case .bareCode(let code, let state):
                guard let url = session.address(ofBareCode: code, state: state), deliver(url) else {
                    throw AuthenticationFailure.user(
                        session.hasEnded || state == nil
                            ? .noWaitingSignIn : .pasted(.otherSignIn, redirectURI: redirect.url))
                }
                return .bareCode
            case .unusable(let reason): throw AuthenticationFailure.user(.pasted(reason, redirectURI: redirect.url))
            }
        }
    }
}

/// The form of a pasted authorization response. Not in MSAL for iOS and macOS.
public enum MSALPastedResponse: Sendable, Equatable {
    /// A complete URL whose `state` matches the sign-in that waits.
    case address
    /// An authorization code without its URL. Its issuer couldn't be checked, and its `state` only if it was pasted with the
    /// code; the code verifier and the nonce still bind it to the sign-in.
    case bareCode
}

/// A sign-in on one computer whose page opens on another one.
extension MSALPublicClientApplication {
    /// The redirect URI and the `state` of the response that the waiting sign-in accepts.
    package class func awaitedResponse() -> (redirectURI: URL, state: String)? { InteractiveSessions.latest()?.awaited }

    /// Opens the page of another computer's sign-in, and returns its response at this application's redirect URI. Others,
    /// such as that of a sign-in of this computer, have another `state`, and are rejected as always.
    package nonisolated(nonsending) func responseForOtherComputer(page: URL, state: String) async throws -> URL {
        let correlationID = dependencies.random.uuid()
        let limit = MSALInteractiveTokenParameters.defaultResponseTimeout
        let visit = BrowserVisit(
            context: context(MSALParameters(), correlationID), host: page.hostAndPort, redirect: settings.redirect,
            state: Secret(state), purpose: "sign-in", correlationID: correlationID, access: .init(limit: limit),
            overdue: .user(.signInUnanswered(host: page.hostAndPort, seconds: limit)))
        do {
            let landing = try await visit.run { _ in .init(url: page) }
            await landing.receiver?.close()
            return landing.url
        } catch { throw MSALAuthenticationError(translating: error, correlationID: correlationID) }
    }
}
