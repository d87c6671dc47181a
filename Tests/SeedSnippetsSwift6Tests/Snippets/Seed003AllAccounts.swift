// The text below is the document's own.
// swift-format-ignore-file
import Foundation
import MSAL

/// All accounts of the cache.
enum Seed003AllAccounts {
static func run(_ givenApplication: MSALPublicClientApplication) {
let application: MSALPublicClientApplication!
application = givenApplication // The document leaves this to its reader.
do {
  let accounts = try application.allAccounts()
  // continue with account usage
} catch let error as NSError {
  // handle error here
}
}
}
