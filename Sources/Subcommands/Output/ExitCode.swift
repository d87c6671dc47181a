/// What the program's exit tells a script.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case configuration = 3
    case interactionRequired = 4
    /// The person cancelled, or denied consent.
    case cancelled = 5
    case network = 6
    /// The token store or the keyring failed.
    case store = 7
    /// The authority declined some scopes; the tokens were stored.
    case declinedScopes = 8
    case interrupted = 130
}
