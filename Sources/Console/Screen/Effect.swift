/// Work outside the model, as a value that tests can compare.
package enum Effect: Sendable, Equatable {
    case readAccounts(EffectID)
    case signIn(EffectID, SignInRequest)
    /// If forced, from the authority, even if the cached token is valid.
    case acquireSilently(EffectID, account: String, scopes: [String], isForced: Bool = false)
    case remove(EffectID, account: String)
    /// Checks the set-up: configuration, application, authority, cache, machine.
    case check(EffectID, ProgramProfile?)
    /// Writes a support report to a private file. Not cancelled.
    case report(EffectID, ProgramProfile?)
    /// Asks the desktop whether this program handles the profile's redirect URI.
    case askURLHandler(EffectID, ProgramProfile?)
    /// Saves the choices for the profile's next run. Not cancelled.
    case keep(KeptChoices, profile: String)
    /// Starts the scenario with this name, replacing the open one.
    case openScenario(EffectID, String)
    /// Performs a step of the guided walk.
    case performStep(EffectID, GuidedWalk.Step)
    case cancel(EffectID)
    /// Reads or changes the configuration.
    case profiles(EffectID, ProfileWork)
    /// Passes pasted text to the sign-in with this ID.
    case deliver(EffectID, String)
    /// Copies a text to the terminal's clipboard.
    case copy(EffectID, CopiedText)
    /// Writes a text to a private file.
    case save(EffectID, CopiedText)
}
