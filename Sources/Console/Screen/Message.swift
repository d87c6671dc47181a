import AuthEngine
import Diagnosis
import Foundation
import TerminalUI

/// All that ever reaches the model. What comes from the world outside carries the time it happened.
package enum Message: Sendable, Equatable {
    case started
    case input(InputEvent)
    /// A row of the list was chosen by its number.
    case select(row: Int)
    /// A command of the screen that has the keys, asked for by its name.
    case command(CommandName)
    /// The text that the screen asks for.
    case answer(String)
    /// The terminal has gone away.
    case inputEnded
    case tick(Date)
    case flowEvent(EffectID, MSALFlowEvent)
    case flowExchange(EffectID, MSALFlowExchange)
    /// The authority gave a code for the sign-in of this id.
    case deviceCode(EffectID, ShownDeviceCode)
    /// The page of the sign-in of this id, as a picture, where one can be made.
    case pagePicture(EffectID, QRCode?)
    /// What was pasted is not what the sign-in waits for; it waits on.
    case pasteRefused(EffectID, ErrorReport)
    /// The token cache was opened, and is protected so.
    case cacheOpened(MSALCacheProtection)
    /// Whether the authority offers sign-in with a code on another device. By the effect that read the accounts, or a
    /// sign-in.
    case deviceCodeOffer(EffectID, Bool)
    /// What was found when the set-up was looked at.
    case checked(EffectID, CheckReport, at: Date)
    /// What became of a text that the person took along.
    case copied(CopiedText, CopyOutcome)
    /// The path of the file that a text was written to.
    case saved(CopiedText, Outcome<String>)
    /// What keeps the list of accounts from having those of an identity broker too.
    case deviceAccountsUnread(ErrorReport)
    case urlHandlerAsked(EffectID, MachineFindings.Handler)
    case choicesNotKept(ErrorReport)
    case scenarioOpened(EffectID, Outcome<ProgramProfile>)
    case accountsRead(EffectID, Outcome<[AccountSummary]>, at: Date)
    case acquired(EffectID, Outcome<Acquisition>, at: Date)
    case removed(EffectID, Outcome<Removed>, at: Date)

    case profiles(EffectID, ProfileAnswer)

    /// The account is no longer in the cache.
    package struct Removed: Sendable, Equatable {
        package init() {}
    }
}
