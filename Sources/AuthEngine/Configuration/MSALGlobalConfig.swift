import Foundation

/// Settings of the whole process (MSAL for iOS and macOS, `MSALGlobalConfig`).
public final class MSALGlobalConfig: NSObject {
    public static let httpConfig = MSALHTTPConfig()
}
