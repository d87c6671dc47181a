import MSAL

/// A view model on the main actor that sets its own properties in completion blocks.
@MainActor final class SignInViewModel: ObservableObject {
    @Published var username = ""
    @Published var token: String?
    @Published var message: String?
    @Published var isBusy = false

    private var application: MSALPublicClientApplication?
    private var account: MSALAccount?
    private var lines: [String] = []
    private let scopes = ["User.Read"]

    init(configuration: MSALPublicClientApplicationConfig) {
        do {
            application = try MSALPublicClientApplication(configuration: configuration)
        } catch {
            message = error.localizedDescription
        }
    }

    func keepLog() {
        MSALGlobalConfig.loggerConfig.logLevel = .warning
        MSALGlobalConfig.loggerConfig.setLogCallback { _, line, containsPII in
            if let line, !containsPII { self.lines.append(line) }
        }
        MSALGlobalConfig.telemetryConfig.telemetryCallback = { self.lines.append($0.description) }
    }

    func signIn(from controller: UIViewController, then done: (() -> Void)? = nil) {
        guard let application else { return }
        let webview = MSALWebviewParameters(authPresentationViewController: controller)
        webview.presentationStyle = .fullScreen
        webview.webviewType = .authenticationSession
        let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: webview)
        parameters.promptType = .selectAccount
        isBusy = true
        application.acquireToken(with: parameters) { [weak self] result, error in
            guard let self else { return }
            isBusy = false
            if let error { return show(error) }
            account = result?.account
            username = result?.account.username ?? ""
            token = result?.accessToken
            done?()
        }
    }

    func refresh() {
        guard let application, let account else { return }
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.completionBlockQueue = .main
        application.acquireTokenSilent(with: parameters) { (result: MSALResult?, error: Error?) in
            if let error = error as NSError?, error.domain == MSALErrorDomain,
                error.code == MSALError.interactionRequired.rawValue
            {
                self.message = "Sign in again"
                return
            }
            self.token = result?.accessToken
        }
    }

    func refreshFromATask() {
        guard let application, let account else { return }
        Task {
            do {
                let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
                token = try await application.acquireTokenSilent(with: parameters).accessToken
            } catch let error as NSError where error.code == MSALError.userCanceled.rawValue {
                message = nil
            } catch {
                show(error)
            }
        }
    }

    func signOut() {
        guard let application, let account else { return }
        let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        parameters.signoutFromBrowser = false
        application.signout(with: account, signoutParameters: parameters) { success, error in
            if success { self.account = nil }
            if let error { self.show(error) }
        }
        try? application.remove(account)
    }

    private func show(_ error: Error) { message = error.localizedDescription }
}
