/// Which of macOS' broker services a request may use (MSAL for macOS, `MSALXpcMode`).
public enum MSALXpcMode: UInt, Sendable, CaseIterable {
    case disabled = 0
    case ssoExtCompanion = 1
    case ssoExtBackup = 2
    case primary = 3
}
