import Diagnosis

extension SequenceDiagram {
    /// The same sign-in in an iOS app that uses MSAL. The demo can't play it: it needs a phone.
    static let signInOnPhone = SequenceDiagram(
        title: "Sign-in in an iOS app",
        arrows: [
            Arrow(
                .application, .application, "check Info.plist",
                text: "MSAL checks that Info.plist registers the scheme msauth.BUNDLE-ID",
                notes: ["Without it: error -42001, before any request."]),
            Arrow(
                .application, .application, "find the broker",
                text: "canOpenURL looks for Microsoft Authenticator (msauthv2, msauthv3)",
                notes: ["Without LSApplicationQueriesSchemes in Info.plist, it returns false."]),
            Arrow(
                .application, .browser, "open page",
                text: "Without a broker, ASWebAuthenticationSession opens the sign-in page",
                notes: ["Here: the browser of this computer opens it."]),
            Arrow(.browser, .authority, "authorize", text: "The redirect URI is msauth.BUNDLE-ID://auth"),
            Arrow(.authority, .browser, "sign-in page", text: "Sign-in page", outcome: .responded, message: .response),
            Arrow(.browser, .authority, "password", text: "Enter the password"),
            Arrow(
                .authority, .browser, "redirect", text: "Redirect to msauth.BUNDLE-ID://auth with the code",
                outcome: .responded, message: .response),
            Arrow(
                .browser, .application, "return URL",
                text:
                    "ASWebAuthenticationSession returns the URL to MSAL; only a broker's response needs handleMSALResponse",
                outcome: .responded,
                notes: [
                    "Here: the browser opens a loopback address, and Keyturn's listener receives the code."
                ],
                message: .response),
            Arrow(
                .application, .authority, "token (code)", text: "MSAL redeems the code with its verifier"),
            Arrow(
                .authority, .application, "200 tokens", text: "HTTP 200, tokens", outcome: .responded,
                message: .response
            ),
            Arrow(
                .application, .cache, "save tokens", text: "MSAL saves the tokens to the keychain",
                notes: ["It needs the keychain group com.microsoft.adalcache; otherwise: error -34018."]),
        ])
}
