import AuthEngine

extension MSALFlowEvent.Step {
    /// The step's label on the screen.
    func title(by method: SignInMethod) -> String {
        switch self {
        case .openBrowser where method == .paste: "Show the page address"
        case .waitForResponse where method == .paste: "Wait for the paste"
        case .readCache: "Read the cache"
        case .askBroker: "Call the broker"
        case .findAuthority: "Find the authority"
        case .listen: "Listen for the response"
        case .openBrowser: "Open the browser"
        case .waitForResponse: "Wait for the browser"
        case .showCode: "Get a code"
        case .waitForCode: "Wait for code entry"
        case .redeemCode: "Redeem the code"
        case .refreshToken: "Refresh the token"
        case .waitForRenewal: "Wait for another process"
        case .verifyIDToken: "Verify the ID token"
        case .saveTokens: "Save the tokens"
        }
    }
}
