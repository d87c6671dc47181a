/// Work for the world outside the model. A value, so that a test can compare it.
package enum Effect: Sendable, Equatable {
    case readAccounts(EffectID)
    case signIn(EffectID, SignInRequest)
    /// Forced: from the authority, even where the cache still has a token.
    case acquireSilently(EffectID, account: String, scopes: [String], isForced: Bool = false)
    case remove(EffectID, account: String)
    /// Looks at the set-up: configuration, application, authority, cache, machine.
    case check(EffectID, ProgramProfile?)
    /// Writes a support report to a file that only the person can read. Once asked for it is written, whatever comes next.
    case report(EffectID, ProgramProfile?)
    /// Asks whether the desktop brings the answer to the profile's redirect URI back here.
    case askURLHandler(EffectID, ProgramProfile?)
    /// Keeps what was chosen for the next run with that profile. Once asked for it is done, whatever comes next.
    case keep(KeptChoices, profile: String)
    /// Starts the scenario of that name, in place of the one that is open.
    case openScenario(EffectID, String)
    /// Does a step of the guided walk.
    case performStep(EffectID, GuidedWalk.Step)
    case cancel(EffectID)
    /// Work on the configuration.
    case profiles(EffectID, ProfileWork)
    /// Hands what was pasted to the sign-in of this id.
    case deliver(EffectID, String)
    /// Gives a text to the terminal's clipboard.
    case copy(EffectID, CopiedText)
    /// Writes a text to a file that only the person can read.
    case save(EffectID, CopiedText)
}
