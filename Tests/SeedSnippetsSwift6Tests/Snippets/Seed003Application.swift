// The text below is the document's own.
// swift-format-ignore-file
import Foundation
import MSAL

/// An application with the default redirect URI.
enum Seed003Application {
static func run() {
let config = MSALPublicClientApplicationConfig(clientId: "<your-client-id-here>")
do {
  let application = try MSALPublicClientApplication(configuration: config)
  // continue on with application
            
} catch let error as NSError {
  // handle error here
}
}
}
