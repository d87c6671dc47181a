import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// A message to the model. External results carry the time at which they happened.
package enum Message: Sendable, Equatable {
    case started
    case input(InputEvent)
    /// Selects a row by number.
    case select(row: Int)
    /// Runs a command of the active screen by name.
    case command(CommandName)
    /// The answer to the screen's question.
    case reply(String)
    /// The terminal was closed.
    case inputEnded
    case tick(Date)
    case flowEvent(EffectID, MSALFlowEvent)
    case flowExchange(EffectID, MSALFlowExchange)
    /// The authority issued a device code for the sign-in with this ID.
    case deviceCode(EffectID, ShownDeviceCode)
    /// The page address as a QR code, for the sign-in with this ID; nil if it's too long.
    case pagePicture(EffectID, QRCode?)
    /// The sign-in rejected the pasted text and keeps waiting.
    case pasteRejected(EffectID, Failure)
    /// The token cache was opened, with its protection.
    case cacheOpened(MSALCacheProtection)
    /// Whether the authority supports device codes, as learned by an effect.
    case deviceCodeOffer(EffectID, Bool)
    /// The findings of the set-up check.
    case checked(EffectID, CheckReport, at: Date)
    /// The outcome of copying a text.
    case copied(CopiedText, CopyOutcome)
    /// The outcome of saving a text, with the path.
    case saved(CopiedText, Outcome<String>)
    /// Why the identity broker's accounts are missing from the list, or that the token cache was damaged.
    case unread(Failure)
    case urlHandlerChecked(EffectID, MachineFindings.Handler)
    case choicesNotSaved(Failure)
    case scenarioOpened(EffectID, Outcome<ProgramProfile>)
    case accountsRead(EffectID, Outcome<[AccountSummary]>, at: Date)
    case acquired(EffectID, Outcome<Acquisition>, at: Date)
    /// An API returned its last response.
    case called(EffectID, Outcome<APIResponse>, at: Date)
    case removed(EffectID, Outcome<Removed>, at: Date)
    /// A sign-out in the browser ended. The account is removed from the cache, unless the failure says otherwise.
    case signedOut(EffectID, Outcome<Removed>, at: Date)
    /// A page that the scripted user saw.
    case pageVisited(EffectID, PageVisit)
    /// The scripted user finished, or can't continue.
    case acted(EffectID, Outcome<Removed>)
    /// A step that only waits has ended.
    case waited(EffectID)

    case profiles(EffectID, ProfileResult)
    case explained(EffectID, Outcome<Explained>)
    /// The verdicts on a pasted token.
    case verified(EffectID, [MSALIDTokenVerdict])

    /// The account was removed from the cache.
    package struct Removed: Sendable, Equatable {
        package init() {}
    }
}

/// Work outside the model, as a value that tests can compare.
package enum Effect: Sendable, Equatable {
    case readAccounts(EffectID)
    case signIn(EffectID, SignInRequest)
    /// If forced, from the authority, even if the cached token is valid.
    case acquireSilently(EffectID, account: String, scopes: [String], isForced: Bool = false)
    case remove(EffectID, account: String)
    /// Removes the account and signs it out in the browser.
    case signOut(EffectID, account: String)
    /// Checks the set-up: configuration, application, authority, cache, machine.
    case check(EffectID, ProgramProfile?)
    /// Writes a support report to a private file. Not cancelled.
    case report(EffectID, ProgramProfile?)
    /// Explains a text, or the file with this name. Asks the issuer of a token for its keys unless offline.
    case explain(EffectID, String, ProgramProfile?, isOffline: Bool)
    /// Verifies a pasted token with its issuer's keys, from a server that the profile trusts.
    case verify(EffectID, String, ProgramProfile?)
    /// Copies the access token of an acquisition to the terminal's clipboard, or else saves it to a private file. The
    /// token itself never gets into the model. Not cancelled.
    case copyToken(EffectID, Acquisition)
    /// Writes a redacted copy of the text or the file to a private file. Not cancelled.
    case redact(EffectID, String, ProgramProfile?)
    /// Asks the desktop whether this program handles the profile's redirect URI.
    case checkURLHandler(EffectID, ProgramProfile?)
    /// Shows the screen with this theme, with or without the mouse.
    case display(ScreenDisplay, isSaved: Bool)
    /// Saves the choices for the profile's next run. Not cancelled.
    case saveChoices(SavedChoices, profile: String)
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
    /// Copies a text to the terminal's clipboard.
    case copy(EffectID, CopiedText)
    /// Writes a text to a private file.
    case save(EffectID, CopiedText)
}
