import Foundation
import MSAL
import TerminalUI

/// Sign-ins with the user, and their tokens.
extension EffectRunner {
    /// Requires the broker if it's the sign-in method, so that without one the next method is tried. Other methods
    /// don't use the profile's broker.
    private func brokerPreference(
        _ method: SignInMethod, _ application: MSALPublicClientApplication
    ) -> MSALBrokerPreference {
        if method == .broker { return .only }
        return application.configuration.linuxBrokerEnabled || method == .paste ? .never : .asConfigured
    }

    func signIn(_ request: SignInRequest, _ tell: @escaping Teller) async throws -> Acquisition {
        let application = try await application(for: request, tell)
        let result = try await signIn(by: request.method, request.scopes, at: application, tell) { parameters in
            try request.fill(parameters, for: application)
            if let identifier = request.account { parameters.account = try await account(identifier, application) }
            guard let interactive = parameters as? MSALInteractiveTokenParameters else { return }
            interactive.brokerPreference = brokerPreference(request.method, application)
            request.fill(interactive)
        }
        return try Acquisition(cached: result)
    }

    private func application(
        for request: SignInRequest, _ tell: @escaping Teller
    ) async throws -> MSALPublicClientApplication {
        guard let resource = request.resource else { return try ready() }
        let configuration = try services.resourceConfiguration?(resource) ?? ready().configuration
        let application = try await MSALPublicClientApplication.application(
            forResource: resource, configuration: configuration, events: { tell(.event($0)) },
            exchanges: { tell(.exchange($0)) }, requests: RequestHolds.handler)
        replace(application: application)
        return application
    }

    func signIn(
        by method: SignInMethod, _ scopes: [String], at application: MSALPublicClientApplication,
        isScripted: Bool = false, _ tell: @escaping Teller, _ fill: (MSALTokenParameters) async throws -> Void
    ) async throws -> MSALResult {
        if method == .device {
            let parameters = MSALDeviceCodeParameters(scopes: scopes) {
                tell(.deviceCode(ShownDeviceCode(code: $0, picture: QRCode(page: $0.page))))
            }
            try await fill(parameters)
            follow(parameters, of: application, tell)
            return try await application.acquireToken(with: parameters)
        }
        let presentation = presentation(of: method, isScripted: isScripted)
        let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: presentation)
        try await fill(parameters)
        follow(parameters, of: application) { progress in
            tell(progress)
            guard method == .paste, case .event(let event) = progress, let page = event.authorizationURL else { return }
            tell(.pagePicture(QRCode(page: page)))
        }
        return try await application.acquireToken(with: parameters)
    }

    /// - Parameter isScripted: whether the scenario's user opens the address.
    func presentation(of method: SignInMethod, isScripted: Bool = false) -> MSALWebviewParameters {
        let presentation = MSALWebviewParameters()
        presentation.expectsPaste = method == .paste && !isScripted
        // For pasting, the user opens the address on the screen.
        let opensNothing: @Sendable (URL) async throws -> Void = { _ in }
        presentation.openURLHandler = method == .paste || isScripted ? opensNothing : services.openURL
        presentation.terminalLender = services.lendTerminal
        return presentation
    }

    func copyToken(of shown: Acquisition, saves: Bool) async -> WorkResult {
        let named = CopiedText("the access token", fileName: "token.txt", "")
        switch await outcome({ try await accessToken(of: shown) }) {
        case .success(let token) where saves:
            return .saved(named, await outcome { try services.save(token, named.fileName) })
        case .success(let token): return .copied(.token(shown), services.copy(token))
        case .failure(let report): return .saved(named, .failure(report))
        }
    }

    /// The shown token from the cache, because the model doesn't contain it.
    private func accessToken(of shown: Acquisition) async throws -> String {
        let application = try ready()
        let account = try await account(shown.account.identifier, application)
        let parameters = MSALSilentTokenParameters(scopes: shown.scopes.withoutAlwaysRequested, account: account)
        let token = try await application.acquireTokenSilent(with: parameters).accessToken
        guard ClaimsContent(token) == shown.accessToken else {
            throw Failure(
                headline: "The cached token changed.",
                reason: "Press \(Verb.refresh.label) to get a new one, then copy it.")
        }
        return token
    }
}
