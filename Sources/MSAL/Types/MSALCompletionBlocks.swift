// Completion blocks and callbacks (MSAL for iOS and macOS, `MSALDefinitions.h`).
//
// None is `@Sendable`, which matches how Swift imports them on Apple's systems. The methods that take one are, and may
// call it from any thread (docs/decisions/0031).

/// A block that receives a token, or an error.
public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void
/// A block that receives the matching accounts, or an error.
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void
/// A block that receives the current account, the previous account, and an error.
public typealias MSALCurrentAccountCompletionBlock = (MSALAccount?, MSALAccount?, (any Error)?) -> Void
/// A block that receives whether the account was signed out, and an error.
public typealias MSALSignoutCompletionBlock = (Bool, (any Error)?) -> Void
/// A block that receives the device information, or an error.
public typealias MSALDeviceInformationCompletionBlock = (MSALDeviceInformation?, (any Error)?) -> Void
/// A block that receives the registration of the device, or an error.
public typealias MSALWPJMetaDataCompletionBlock = (MSALWPJMetaData?, (any Error)?) -> Void
/// A block that receives a token of the device itself, or an error.
public typealias MSALDeviceTokenResultCompletionBlock = (MSALDeviceTokenResult?, (any Error)?) -> Void
