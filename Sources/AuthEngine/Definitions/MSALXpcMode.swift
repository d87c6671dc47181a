/// Which of macOS' broker services a request may use (MSAL for macOS, `MSALXpcMode`).
public enum MSALXpcMode: UInt, Sendable, CaseIterable {
    /// Never.
    case disabled = 0
    /// Beside the single sign-on extension.
    case ssoExtCompanion = 1
    /// In place of an extension that fails.
    case ssoExtBackup = 2
    /// Before the extension.
    case primary = 3
}
