// The text below is the document's own.
// swift-format-ignore-file
import Foundation
import MSAL

/// One account of the cache.
enum Seed003AccountForIdentifier {
static func run(_ givenApplication: MSALPublicClientApplication, _ givenIdentifier: String) {
// definitions that need to be initialized
let application: MSALPublicClientApplication!
let accountIdentifier: String! /*previously saved MSAL account identifier */
application = givenApplication; accountIdentifier = givenIdentifier // The document leaves this to its reader.

do {
  let account = try application.account(forIdentifier: accountIdentifier)
  // continue with account usage
} catch let error as NSError {
  // handle error here
}
}
}
