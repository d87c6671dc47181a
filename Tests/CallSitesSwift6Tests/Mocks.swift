import MSAL

/// An application that returns the results of a test.
class MockApplication: MSALPublicClientApplication, @unchecked Sendable {
    let given: MSALResult
    var calls = 0

    init(given: MSALResult) throws {
        self.given = given
        try super.init(configuration: MSALPublicClientApplicationConfig(clientId: "mock"))
    }

    override func acquireToken(
        with parameters: MSALInteractiveTokenParameters, completionBlock: @escaping MSALCompletionBlock
    ) {
        calls += 1
        completionBlock(given, nil)
    }

    override func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        calls += 1
        return given
    }

    override func allAccounts() throws -> [MSALAccount] { [given.account] }
}

/// An empty subclass: it is created like its superclass.
class CountingApplication: MSALPublicClientApplication, @unchecked Sendable {
    override func remove(_ account: MSALAccount) throws {}
    override class var sdkVersion: String? { "mock" }
}

class MockResult: MSALResult, @unchecked Sendable {
    override var accessToken: String { "token" }
    override var scopes: [String] { ["User.Read"] }
}

class MockAccount: MSALAccount, @unchecked Sendable {
    override var username: String? { "ann" }
}

class MockConfiguration: MSALPublicClientApplicationConfig {
    override var tokenExpirationBuffer: Double {
        get { 0 }
        set {}
    }
}

class MockAuthority: MSALAADAuthority {
    override var url: URL { URL(fileURLWithPath: "/") }
}

class MockParameters: MSALSilentTokenParameters {
    override var forceRefresh: Bool {
        get { true }
        set {}
    }
}
