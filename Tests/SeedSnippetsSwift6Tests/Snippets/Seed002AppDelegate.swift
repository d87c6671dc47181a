// The text below is the document's own.
// swift-format-ignore-file
import Foundation
import MSAL

/// An app delegate that hands over the URL it was opened with.
final class Seed002AppDelegate {
func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey : Any] = [:]) -> Bool {
    return MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: options[UIApplication.OpenURLOptionsKey.sourceApplication] as? String)
}
}
