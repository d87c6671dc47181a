import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// Work outside the model, as a value that tests can compare.
package enum Effect: Sendable, Equatable {
    case readAccounts(EffectID)
    /// Takes back that a server may have an account's tokens, then reads the accounts.
    case takeBack(EffectID, MSALTokenAgreement)
    case signIn(EffectID, SignInRequest)
    /// If forced, from the authority, even if the cached token is valid.
    case acquireSilently(EffectID, account: String, scopes: [String], isForced: Bool = false)
    /// - Parameter revokes: whether to revoke the refresh token at the authority too.
    case remove(EffectID, account: String, revokes: Bool = false)
    /// Removes the account, revokes its refresh token and signs it out in the browser.
    case signOut(EffectID, account: String)
    /// Checks the set-up: configuration, application, authority, cache, machine.
    case check(EffectID, ProgramProfile?)
    /// Explains a text, or the file with this name. Asks the issuer of a token for its keys unless offline.
    case explain(EffectID, String, ProgramProfile?, isOffline: Bool)
    /// Makes a redacted copy of a text, or of the file with this name, to review it. It hides these texts too.
    case review(EffectID, String, hiding: [String], ProgramProfile?)
    /// Compares two texts or files; without a second one with a sign-in at the built-in authority.
    case compare(EffectID, String, with: String?)
    /// Lists the names in a folder, whose path can begin with `~/`; empty for the current folder.
    case listFolder(EffectID, String)
    /// Opens the configuration file in the user's editor, at its first mistake.
    case editConfiguration(EffectID)
    /// Verifies a pasted token with its issuer's keys, from a server that the profile trusts.
    case verify(EffectID, String, ProgramProfile?)
    /// Copies the access token of an acquisition to the terminal's clipboard, or saves it to a private file. The token
    /// itself never gets into the model. Not cancelled.
    case copyToken(EffectID, Acquisition, saves: Bool = false)
    /// Writes a file to the path that the user chose.
    /// - Parameter replaces: whether the user agreed to replace an existing file.
    case export(EffectID, Export, replaces: Bool, ProgramProfile?)
    /// Asks the desktop whether this program handles the profile's redirect URI.
    case checkURLHandler(EffectID, ProgramProfile?)
    /// Shows the screen with this theme, with or without the mouse.
    case display(ScreenDisplay, isSaved: Bool)
    /// Drops what was typed before a question that opens by itself, and then lets ``InputEvent/forgotten`` follow.
    case forgetTyped
    /// Saves the choices for the profile's next run. Not cancelled.
    case saveChoices(SavedChoices, profile: String)
    /// Saves the profile's default account. Not cancelled.
    case saveDefaultAccount(String?, profile: String)
    /// Starts the scenario with this name, or the demo without one, replacing the open one.
    /// - Parameter replaying: the number of steps that its scripted user does first.
    case openScenario(EffectID, String?, replaying: Int = 0)
    /// Performs a step of the guided walk. If scripted, no browser opens.
    case performStep(EffectID, GuidedWalk.Step, isScripted: Bool)
    /// Lets the scripted user complete the page of a sign-in.
    /// - Parameter step: the index of the walk's step; nil for a sign-in outside a scenario.
    case act(EffectID, for: EffectID, page: URL, step: Int?, isCode: Bool)
    case cancel(EffectID)
    /// Reads or changes the configuration.
    case profiles(EffectID, ProfileWork)
    /// Passes pasted text to the sign-in with this ID.
    case deliver(EffectID, String)
    /// Lists the open doors, after closing one.
    case doors(EffectID, closing: OpenDoor?)
    /// Copies a text to the terminal's clipboard.
    case copy(EffectID, CopiedText)
    /// Writes a text to a private file.
    case save(EffectID, CopiedText)
}
