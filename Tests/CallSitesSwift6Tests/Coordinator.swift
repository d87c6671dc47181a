import MSAL

/// A delegate in the Objective-C style.
@MainActor protocol SignInCoordinatorDelegate: AnyObject {
    func coordinator(_ coordinator: SignInCoordinator, didSignIn account: MSALAccount)
    func coordinator(_ coordinator: SignInCoordinator, didFailWith error: NSError)
}

/// A view controller that owns the application and passes results to its delegate.
@MainActor final class SignInCoordinator: UIViewController {
    weak var delegate: (any SignInCoordinatorDelegate)?
    var applicationContext: MSALPublicClientApplication?
    var webViewParameters: MSALWebviewParameters?
    var currentAccount: MSALAccount?
    private(set) var started: [URL] = []

    typealias AccountCompletion = (MSALAccount?) -> Void

    func prepare(clientID: String, authorityURL: String) throws {
        guard let url = URL(string: authorityURL) else { return }
        let authority = try MSALAADAuthority(url: url)
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID, redirectUri: nil, authority: authority)
        configuration.knownAuthorities = [authority]
        configuration.cacheConfig.keychainSharingGroup = "org.example.shared"
        applicationContext = try MSALPublicClientApplication(configuration: configuration)
        webViewParameters = MSALWebviewParameters(authPresentationViewController: self)
        let presenter: MSALViewController = self
        webViewParameters?.parentViewController = presenter
    }

    func observe(_ center: NotificationCenter = .default) -> any NSObjectProtocol {
        center.addObserver(forName: NSNotification.Name.MSALWebAuthDidStartLoad, object: nil, queue: .main) {
            [weak self] notification in
            let url = notification.userInfo?["url"] as? URL
            MainActor.assumeIsolated { if let url { self?.started.append(url) } }
        }
    }

    func loadCurrentAccount(completion: AccountCompletion? = nil) {
        guard let applicationContext else { return }
        let parameters = MSALParameters()
        parameters.completionBlockQueue = DispatchQueue.main
        applicationContext.getCurrentAccount(with: parameters) { currentAccount, previousAccount, error in
            if error != nil { return }
            if previousAccount != nil, currentAccount == nil { self.currentAccount = nil }
            self.currentAccount = currentAccount
            completion?(currentAccount)
        }
    }

    func signIn() {
        guard let applicationContext, let webViewParameters else { return }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webViewParameters)
        applicationContext.acquireToken(with: parameters) { result, error in self.finish(result, error) }
    }

    private func finish(_ result: MSALResult?, _ error: Error?) {
        if let error { delegate?.coordinator(self, didFailWith: error as NSError) }
        if let account = result?.account { delegate?.coordinator(self, didSignIn: account) }
    }
}

/// The application delegate's part: URLs that the application was opened with.
func open(_ url: URL, from sourceApplication: String?) {
    MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: sourceApplication)
    MSALPublicClientApplication.cancelCurrentWebAuthSession()
}
