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
    /// The terminal can't copy the access token of this acquisition.
    case tokenNotCopied(Acquisition)
    /// The outcome of saving a text, with the path.
    case saved(CopiedText, Outcome<String>)
    case exported(EffectID, Export, Outcome<Exported>)
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
    /// A request of a removal is slow; the sentence says what it waits for.
    case slow(EffectID, String)
    /// What became of the account's refresh token at the authority, while a sign-out in the browser goes on.
    case revocation(EffectID, String?)
    /// A page that the scripted user saw.
    case pageVisited(EffectID, PageVisit)
    /// The scripted user finished, or can't continue.
    case acted(EffectID, Outcome<Removed>)
    /// A step that only waits has ended.
    case waited(EffectID)

    case profiles(EffectID, ProfileResult)
    case explained(EffectID, Outcome<Explained>)
    case reviewed(EffectID, Outcome<ReviewedCopy>)
    case compared(EffectID, Outcome<Comparison>)
    case folderListed(EffectID, Outcome<[FolderEntry]>)
    case doors(EffectID, [OpenDoor], at: Date)
    /// The user's editor was closed.
    case configurationEdited(EffectID, Outcome<Edited>)
    /// The verdicts on a pasted token.
    case verified(EffectID, [MSALIDTokenVerdict])

    /// The file may have been changed.
    package struct Edited: Sendable, Equatable {
        package init() {}
    }

    /// The account was removed from the cache.
    package struct Removed: Sendable, Equatable {
        /// What became of its refresh token at the authority.
        package var revocation: String?

        package init(_ revocation: String? = nil) { self.revocation = revocation }
    }
}
