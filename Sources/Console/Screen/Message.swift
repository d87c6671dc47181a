import Diagnosis
import Foundation
import MSAL
import TerminalUI

package enum Message: Sendable, Equatable {
    case started, input(InputEvent), tick(Date)
    /// In line mode, whose terminal can be closed.
    case select(row: Int), command(CommandName), reply(String), inputEnded
    case progress(EffectID, Progress)
    case result(EffectID, WorkResult, at: Date)
    case choicesNotSaved(Failure)
}

/// What an effect tells while it runs.
package enum Progress: Sendable, Equatable {
    case event(MSALFlowEvent), exchange(MSALFlowExchange), held(MSALHeldRequest), deviceCode(ShownDeviceCode)
    /// The page address as a QR code; nil if it's too long.
    case pagePicture(QRCode?)
    /// The sign-in rejected the pasted text and keeps waiting.
    case pasteRejected(Failure)
    case page(PageVisit)
    case stuck
    /// A request of a removal is slow; the sentence says what it waits for.
    case slow(String)
    /// What became of the account's refresh token at the authority, while a sign-out in the browser goes on.
    case revocation(String?)
    case cacheOpened(MSALCacheProtection)
    /// Why the identity broker's accounts are missing from the list, or that the token cache was damaged.
    case unread(Failure)
    /// Whether the authority supports device codes.
    case deviceCodeOffer(Bool)
}

package indirect enum WorkResult: Sendable, Equatable {
    case accounts(Outcome<[AccountSummary]>), acquired(Outcome<Acquisition>), called(Outcome<APIResponse>)
    /// The account was removed from the cache; with what became of its refresh token at the authority.
    case removed(Outcome<String?>)
    /// A sign-out in the browser ended. The account is removed from the cache, unless the failure says otherwise.
    case signedOut(Outcome<String?>)
    case waited, scenarioOpened(Outcome<ProgramProfile>), profiles(ProfileResult)
    /// The user's editor was closed; the file may have been changed. With the reason if it didn't run.
    case edited(Failure?)
    case copied(Copied, CopyOutcome), exported(Export, Outcome<Exported>)
    /// With the path.
    case saved(CopiedText, Outcome<String>)
    case checked(CheckReport), explained(Outcome<Explained>), reviewed(Outcome<ReviewedCopy>)
    case compared(Outcome<Comparison>), folder(Outcome<[FolderEntry]>), verified([MSALIDTokenVerdict])
    case urlHandler(MachineFindings.Handler), doors([OpenDoor]), ran(Outcome<EndedCommand>)

    /// The result whose failure says what the user had changed, because other advice would mend a fault that isn't there.
    func noting(_ change: String?) -> WorkResult {
        guard let change, case .acquired(.failure(var report)) = self, report.headline != Failure.headlineOfChange
        else { return self }
        report.reason += " A request of this flow was changed: \(change)."
        report.advice = "For a token, start again without a change."
        report.hasOwnAdvice = true
        // A sign-in would change nothing.
        if report.kind == .signInRequired { report.kind = .rejected }
        return .acquired(.failure(report))
    }

    /// What a walk records of a step with this result, or a trace of its flow; nil if a screen's result ends neither.
    var record: GuidedWalk.Record.Result? {
        switch self {
        case .acquired(.success(let acquisition)): .token(acquisition)
        case .called(.success(let response)): .responded(response)
        case .waited: .done
        case .acquired(.failure(let report)), .called(.failure(let report)): .failed(report)
        case .accounts, .removed, .signedOut, .scenarioOpened, .profiles, .edited, .copied, .saved, .exported,
            .checked, .explained, .reviewed, .compared, .folder, .verified, .urlHandler, .doors, .ran:
            nil
        }
    }
}
