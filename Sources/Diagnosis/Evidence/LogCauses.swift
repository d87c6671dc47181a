/// Causes found by error numbers of MSAL and Apple's systems, and by texts of other libraries.
enum LogCauses {
    static let all: [CauseRules.Rule] = rows.map { row in
        { evidence in
            guard let log = evidence.log, let line = row.line(in: log) else { return nil }
            return Cause(row.subject, row.headline, fix: row.fix, at: line.number)
        }
    }

    private struct Row: Sendable {
        var subject: String
        var codes: [Int] = []
        var texts: [String] = []
        var headline: String
        var fix: String

        func line(in log: LogFile) -> LogFile.Line? {
            codes.lazy.compactMap { log.line(withCode: $0) }.first
                ?? texts.lazy.compactMap { log.line(containing: $0) }.first
        }
    }

    /// The table of causes. Codes are those of MSAL's or AppAuth's `NSError`, or OSStatus values.
    private static let rows: [Row] = [
        Row(
            subject: "Broker", codes: [-42700], texts: ["application did not receive response from broker"],
            headline: "The broker's response didn't reach MSAL.",
            fix: "Call MSALPublicClientApplication.handleMSALResponse(_:sourceApplication:) where the app opens URLs."),
        Row(
            subject: "Broker", codes: [-42714], texts: ["LSApplicationQueriesSchemes"],
            headline: "The app may not ask whether a broker is installed.",
            fix: "Add msauthv2 and msauthv3 to LSApplicationQueriesSchemes in Info.plist."),
        Row(
            subject: "Broker", texts: ["Source application does not match redirect uri host"],
            headline: "The broker rejected the app: its bundle identifier isn't the one in the redirect URI.",
            fix: "Use msauth.BUNDLE-ID://auth with the bundle identifier of the signed app."),
        Row(
            subject: "Info.plist", codes: [-42001],
            headline: "The redirect URI's scheme is missing from Info.plist.",
            fix: "Add msauth.BUNDLE-ID to CFBundleURLSchemes."),
        Row(
            subject: "Redirect URI", codes: [-42011],
            headline: "The redirect URI belongs to another bundle identifier.",
            fix: "Use one bundle identifier in the registration, the code and Info.plist."),
        Row(
            subject: "Keychain", codes: [-34018],
            headline: "The app lacks the entitlement for its keychain group.",
            fix: "Add the keychain group to the entitlements of every build configuration."),
        Row(
            subject: "Keychain", codes: [-25308],
            headline: "The keychain is locked, or no user interaction is allowed.",
            fix: "Unlock the device or the login keychain; a daemon or an ssh session can't use it."),
        Row(
            subject: "Keychain", codes: [-25293],
            headline: "The keychain item belongs to an app with another signature.",
            fix: "Sign the app with the same team, or delete the item and sign in again."),
        Row(
            subject: "Window", texts: ["WebAuthenticationSession Code=2", "WebAuthenticationSession Code=3"],
            headline: "The sign-in page had no window to appear in.",
            fix: "Pass a view controller that is on the screen, and start the sign-in after it appeared."),
        Row(
            subject: "Sign-in", codes: [-42402], texts: ["interaction_in_progress"],
            headline: "A second interactive sign-in started while one was running.",
            fix: "Wait for the first one to finish, or cancel it."),
        Row(
            subject: "Account", texts: ["No account provided"],
            headline: "The silent request named no account.",
            fix: "Read the account from the cache first, or sign in interactively."),
        Row(
            subject: "State", codes: [-42501], texts: ["state mismatch", "State mismatch"],
            headline: "The response belongs to another request: its state differs.",
            fix: "Start the sign-in again in one tab; keep the state of each request separately."),
        Row(
            subject: "User", codes: [-50005],
            texts: ["WebAuthenticationSession Code=1 ", "MSALErrorUserCanceled", "user_cancelled"],
            headline: "The user closed the sign-in page.",
            fix: "Sign in again. If the page showed an error, the user may have closed it for that reason."),
        Row(
            subject: "Authority", codes: [-42602],
            headline: "The authority's address isn't https.", fix: "Write the authority with https."),
        Row(
            subject: "Clock", texts: ["Issued at time is more than", "The ID token is not yet valid"],
            headline: "The device's clock differs from the authority's.",
            fix: "Set the clock automatically (NTP). In a virtual machine, set it again after sleep."),
        Row(
            subject: "Refresh token", texts: ["Token is not active", "Unknown or invalid refresh token"],
            headline: "The refresh token has expired or was revoked.", fix: "Sign in again."),
        Row(
            subject: "Azure Identity", texts: ["DefaultAzureCredential failed to retrieve a token"],
            headline: "None of the credentials of DefaultAzureCredential returned a token.",
            fix: "Choose the one you meant from the lines below it, and configure only that one."),
        Row(
            subject: "ADAL", texts: ["AD_ERROR_TOKENBROKER_RESPONSE_NOT_RECEIVED", "ADAuthenticationErrorDomain"],
            headline: "The app uses ADAL, which Microsoft no longer supports.", fix: "Move the app to MSAL."),
    ]
}
