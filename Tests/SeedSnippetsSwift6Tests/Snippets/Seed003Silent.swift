// The text below is the document's own.
// swift-format-ignore-file
import Foundation
import MSAL

/// A token without showing anything.
enum Seed003Silent {
static func run(_ givenApplication: MSALPublicClientApplication, _ givenAccount: MSALAccount) {
let application: MSALPublicClientApplication!
let account: MSALAccount!
application = givenApplication; account = givenAccount // The document leaves this to its reader.
        
let silentParameters = MSALSilentTokenParameters(scopes: ["<your-resource-here>/.default"], 
                                                 account: account)
application.acquireTokenSilent(with: silentParameters) {
  (result: MSALResult?, error: Error?) in
  if let accessToken = result?.accessToken {
     // use accessToken
  }
  else {
    // Check the error
    guard let error = error else {
      assert(true, "callback should contain a valid result or error")
      return
    }
    
    let nsError = error as NSError
    if (nsError.domain == MSALErrorDomain
        && nsError.code == MSALError.interactionRequired.rawValue) {
      // Interactive auth will be required
    }
                
    // Other errors may require trying again later, or reporting authentication problems to the user
  }
}
}
}
