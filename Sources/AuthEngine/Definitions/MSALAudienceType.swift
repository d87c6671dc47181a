/// Whose accounts may sign in (MSAL for iOS and macOS, `MSALAudienceType`).
public enum MSALAudienceType: Int, Sendable, CaseIterable {
    /// `common`: work, school and personal accounts.
    case azureADAndPersonalMicrosoftAccountAudience = 0
    /// `organizations`: work and school accounts.
    case azureADMultipleOrgsAudience = 1
    /// One tenant, which has to be named.
    case azureADMyOrgOnlyAudience = 2
    /// `consumers`: personal accounts.
    case personalMicrosoftAccountAudience = 3
}
