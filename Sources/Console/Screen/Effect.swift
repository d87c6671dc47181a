import Foundation
import MSAL
import TerminalUI

/// Something to do outside the model, as a value that tests can compare.
package enum Effect: Sendable, Equatable {
    /// Starts work. What it tells meanwhile and its result carry this ID.
    case work(EffectID, Work)
    case cancel(EffectID)
    /// Lets the scripted user complete the page of a sign-in.
    /// - Parameter step: the index of the walk's step; nil for a sign-in outside a scenario.
    case act(EffectID, for: EffectID, page: URL, step: Int?, isCode: Bool)
    case release(EffectID, [MSALRequestEdit])
    case deliver(EffectID, String)
    /// Saves for the profile's next run. Neither is cancelled.
    case saveChoices(SavedChoices, profile: String)
    case saveDefaultAccount(String?, profile: String)
    case display(ScreenDisplay, isSaved: Bool)
    /// Drops what was typed before a question that opens by itself, and then lets ``InputEvent/forgotten`` follow.
    case forgetTyped
}

/// Work that ends with a ``WorkResult``.
package indirect enum Work: Sendable, Equatable {
    case readAccounts
    /// A flow that holds each request until it's released.
    case held(Work)
    /// Takes back that a server may have an account's tokens, then reads the accounts.
    case takeBack(MSALTokenAgreement)
    case signIn(SignInRequest)
    /// If forced, from the authority, even if the cached token is valid.
    case acquireSilently(account: String, scopes: [String], isForced: Bool = false)
    case remove(account: String, revokes: Bool = false)
    /// Removes the account, revokes its refresh token and signs it out in the browser.
    case signOut(account: String)
    /// Starts the scenario with this name, or the demo without one, replacing the open one.
    /// - Parameter replaying: the number of steps that its scripted user does first.
    case openScenario(String?, replaying: Int = 0)
    /// Performs a step of the guided walk. If scripted, no browser opens.
    case performStep(GuidedWalk.Step, isScripted: Bool)
    case profiles(ProfileWork)
    /// Opens the configuration file in the user's editor, at its first mistake.
    case editConfiguration
    case copy(CopiedText)
    /// Writes a text to a private file.
    case save(CopiedText)
    /// Copies or saves the access token of an acquisition, which itself never gets into the model. Not cancelled.
    case copyToken(Acquisition, saves: Bool = false)
    /// - Parameter replaces: whether the user agreed to replace an existing file.
    case export(Export, replaces: Bool, ProgramProfile?)
    case check(ProgramProfile?)
    /// Explains a text, or the file with this name. Asks the issuer of a token for its keys unless offline.
    case explain(String, ProgramProfile?, isOffline: Bool)
    /// Makes a redacted copy of a text, or of the file with this name, to review it. It hides these texts too.
    case review(String, hiding: [String], ProgramProfile?)
    case compare(String, with: String)
    /// Lists the names in a folder, whose path can begin with `~/`; empty for the current folder.
    case listFolder(String)
    /// Verifies a pasted token with its issuer's keys, from a server that the profile trusts.
    case verify(String, ProgramProfile?)
    case checkURLHandler(ProgramProfile?)
    /// - Parameter account: the name that commands take for the account.
    case runCommand(OwnCommand, account: String, profile: String)
    /// Lists this user's open doors, after closing one.
    case doors(closing: OpenDoor?)

    /// Whether it spends nothing: it reads, writes a file in one step, or runs a program. Quitting waits a moment.
    var isHarmless: Bool {
        switch self {
        case .editConfiguration, .export, .check, .explain, .review, .compare, .listFolder, .verify, .checkURLHandler:
            true
        case .held(let work): work.isHarmless
        case .readAccounts, .takeBack, .signIn, .acquireSilently, .remove, .signOut, .openScenario, .performStep,
            .profiles, .copy, .save, .copyToken, .doors, .runCommand:
            false
        }
    }

    /// The flow that holds its requests; nil for other work.
    var held: Work? {
        switch self {
        case .signIn, .acquireSilently, .remove(_, revokes: true), .signOut: .held(self)
        case .readAccounts, .held, .takeBack, .remove, .openScenario, .performStep, .profiles, .editConfiguration,
            .copy, .save, .copyToken, .export, .check, .explain, .review, .compare, .listFolder, .verify,
            .checkURLHandler, .doors, .runCommand:
            nil
        }
    }
}
