import MSAL

/// A sign-in in the browser, told on a plain terminal.
struct InteractiveSignIn: Sendable {
    var scopes: [String]
    var account: MSALAccount?
    var loginHint: String?
    var prompt: MSALPromptType = .default
    var isQuiet: Bool

    func result(of application: MSALPublicClientApplication, in surroundings: Surroundings) async throws -> MSALResult {
        try await interruptible {
            try await application.acquireToken(with: parameters(in: surroundings))
        }
    }

    private func parameters(in surroundings: Surroundings) -> MSALInteractiveTokenParameters {
        let webview = MSALWebviewParameters()
        webview.openURLHandler = surroundings.browser
        let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: webview)
        parameters.account = account
        parameters.loginHint = loginHint
        parameters.promptType = prompt
        if !isQuiet {
            parameters.flowEventHandler = { event in
                for line in FlowNarrator.lines(event) { surroundings.tell(line + "\n") }
            }
        }
        return parameters
    }
}
