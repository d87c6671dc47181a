// The shapes of completion blocks and callbacks (MSAL for iOS and macOS, `MSALDefinitions.h`).
//
// None is `@Sendable`, as Swift imports them on Apple's systems. The methods that take one are: they call it from any
// thread. docs/decisions/0031 says why.

/// Takes a token, or why there is none.
public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void
/// Takes the accounts found, or why they could not be listed.
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void
/// The account signed in now, the one that was signed in before.
public typealias MSALCurrentAccountCompletionBlock = (MSALAccount?, MSALAccount?, (any Error)?) -> Void
/// Takes whether the account is signed out, or why not.
public typealias MSALSignoutCompletionBlock = (Bool, (any Error)?) -> Void
/// Takes what is known of the device.
public typealias MSALDeviceInformationCompletionBlock = (MSALDeviceInformation?, (any Error)?) -> Void
/// Takes the registration of the device.
public typealias MSALWPJMetaDataCompletionBlock = (MSALWPJMetaData?, (any Error)?) -> Void
/// Takes a token of the device's own, or why there is none.
public typealias MSALDeviceTokenResultCompletionBlock = (MSALDeviceTokenResult?, (any Error)?) -> Void
