import Foundation
import MSAL
import TerminalUI

/// Sign-ins with the user.
extension EffectRunner {
    /// Requires the broker if it's the sign-in method, so that without one the next method is tried. Other methods
    /// don't use the profile's broker.
    private func brokerPreference(
        _ method: SignInMethod, _ application: MSALPublicClientApplication
    ) -> MSALBrokerPreference {
        if method == .broker { return .only }
        return application.configuration.linuxBrokerEnabled || method == .paste ? .never : .asConfigured
    }

    func signIn(_ id: EffectID, _ request: SignInRequest, _ mailbox: Mailbox) async throws -> Acquisition {
        if request.method == .device { return try await signInWithCode(id, request, mailbox) }
        let application = try ready()
        let presentation = presentation(of: request.method)
        let parameters = MSALInteractiveTokenParameters(scopes: request.scopes, webviewParameters: presentation)
        try request.fill(parameters, for: application)
        if let identifier = request.account { parameters.account = try await account(identifier, application) }
        parameters.brokerPreference = brokerPreference(request.method, application)
        request.fill(parameters)
        follow(parameters, of: application, id, mailbox) { event in
            guard request.method == .paste, let page = event.authorizationURL else { return }
            mailbox.post(.pagePicture(id, QRCode(page: page)))
        }
        return try Acquisition(cached: try await application.acquireToken(with: parameters))
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

    func deviceCodeParameters(
        _ id: EffectID, _ scopes: [String], _ mailbox: Mailbox
    ) -> MSALDeviceCodeParameters {
        MSALDeviceCodeParameters(scopes: scopes) { code in
            let page = code.verificationURLComplete ?? code.verificationURL
            mailbox.post(.deviceCode(id, ShownDeviceCode(code, picture: QRCode(page: page))))
        }
    }

    private func signInWithCode(
        _ id: EffectID, _ request: SignInRequest, _ mailbox: Mailbox
    ) async throws -> Acquisition {
        let application = try ready()
        let parameters = deviceCodeParameters(id, request.scopes, mailbox)
        try request.fill(parameters, for: application)
        if let identifier = request.account { parameters.account = try await account(identifier, application) }
        follow(parameters, of: application, id, mailbox)
        return try Acquisition(cached: try await application.acquireToken(with: parameters))
    }
}
