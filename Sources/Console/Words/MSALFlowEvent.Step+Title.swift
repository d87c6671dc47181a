import AuthEngine

extension MSALFlowEvent.Step {
    /// What a step does, for a person.
    func title(by way: SignInWay) -> String {
        switch self {
        case .openBrowser where way == .paste: "Show you the page's address"
        case .waitForResponse where way == .paste: "Wait for what you paste"
        case .readCache: "Look in the cache"
        case .askBroker: "Ask the identity broker"
        case .findAuthority: "Find the authority"
        case .listen: "Listen for the answer"
        case .openBrowser: "Open the browser"
        case .waitForResponse: "Wait for you in the browser"
        case .showCode: "Get a code for you"
        case .waitForCode: "Wait for you to enter the code"
        case .redeemCode: "Exchange the code for tokens"
        case .refreshToken: "Use the refresh token"
        case .waitForRenewal: "Wait for the other program"
        case .verifyIDToken: "Check the ID token"
        case .saveTokens: "Save the tokens"
        }
    }
}
