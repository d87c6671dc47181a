// The text below is the document's own.
// swift-format-ignore-file
import Foundation
import MSAL

/// An application with a redirect URI of its own.
enum Seed004CustomRedirect {
static func run(authority: MSALAuthority) {
let config = MSALPublicClientApplicationConfig(clientId: "your-client-id",
                                            redirectUri: "your-redirect-uri",
                                              authority: authority)
do {
  let application = try MSALPublicClientApplication(configuration: config)
  // continue on with application          
} catch let error as NSError {
  // handle error here
}       
}
}
