/// What is masked before it is logged (MSAL for iOS and macOS, `MSALLogMaskingLevel`).
///
/// Tokens and keys are masked at every level.
public enum MSALLogMaskingLevel: Int, Sendable, CaseIterable {
    /// Names of people and accounts are masked.
    case settingsMaskAllPII = 0
    /// What names the person: names, mail addresses, user names. Identifiers are shown.
    case settingsMaskEUIIOnly = 1
    /// Nothing else is masked.
    case settingsMaskSecretsOnly = 2
}
