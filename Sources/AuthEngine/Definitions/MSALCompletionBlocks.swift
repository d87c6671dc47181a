// The shapes of completion blocks and callbacks (MSAL for iOS and macOS, `MSALDefinitions.h`).

public typealias MSALCompletionBlock = (MSALResult?, (any Error)?) -> Void
public typealias MSALAccountsCompletionBlock = ([MSALAccount]?, (any Error)?) -> Void
/// The account signed in now, the one that was signed in before.
public typealias MSALCurrentAccountCompletionBlock = (MSALAccount?, MSALAccount?, (any Error)?) -> Void
public typealias MSALSignoutCompletionBlock = (Bool, (any Error)?) -> Void
public typealias MSALDeviceInformationCompletionBlock = (MSALDeviceInformation?, (any Error)?) -> Void
public typealias MSALWPJMetaDataCompletionBlock = (MSALWPJMetaData?, (any Error)?) -> Void
public typealias MSALDeviceTokenResultCompletionBlock = (MSALDeviceTokenResult?, (any Error)?) -> Void
/// Level, line, whether the line holds something personal. It may be called from any thread.
public typealias MSALLogCallback = @Sendable (MSALLogLevel, String?, Bool) -> Void
/// The facts of one request. It may be called from any thread.
public typealias MSALTelemetryCallback = @Sendable ([String: String]) -> Void
