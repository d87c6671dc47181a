import TerminalUI

/// Something a person can ask for with a key, and all that is ever said about it: from this come dispatch, status line,
/// help and `docs/keys.md`.
package struct Command: Sendable {
    package enum Group: String, Sendable, CaseIterable {
        case view = "This view"
        case moving = "Moving"
        case everywhere = "Everywhere"
    }

    package var id: CommandID
    /// The first is the one that hints name.
    package var keys: [Key]
    /// What it does, as a sentence for the help.
    package var sentence: String
    /// What it does, in a word or two for the status line; nil: not shown there.
    package var hint: String?
    /// Whether the hint says what the command would do now.
    package var isHinted: @Sendable (Model) -> Bool
    package var group: Group
    package var focuses: Set<Focus>
    /// It destroys something, so it asks first.
    package var isDangerous: Bool
    package var availability: @Sendable (Model) -> Availability

    package init(
        _ id: CommandID, _ keys: [Key], _ sentence: String, hint: String? = nil,
        hintedIf isHinted: @escaping @Sendable (Model) -> Bool = { _ in true }, group: Group = .view,
        in focuses: Set<Focus>, dangerous: Bool = false,
        if availability: @escaping @Sendable (Model) -> Availability = { _ in .available }
    ) {
        self.id = id
        self.keys = keys
        self.sentence = sentence
        self.hint = hint
        self.isHinted = isHinted
        self.group = group
        self.focuses = focuses
        self.isDangerous = dangerous
        self.availability = availability
    }
}

/// Whether a command can be used now; if not, why, as a sentence.
package enum Availability: Sendable, Equatable {
    case available
    case unavailable(String)
}

package enum CommandID: String, Sendable, CaseIterable {
    // Moving.
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
    case detailsUp, detailsDown
    // Accounts.
    case open, signIn, signInWithCode, signInByPaste, renew, remove, reload, filter, keepFilter, sort
    // Sign in.
    case signInOptions, submitForm, chooseRow, nextAnswer, previousAnswer
    case paste, sendPaste, picture
    // Claims.
    case nextTab, previousTab, idTokenTab, accessTokenTab, json, compare, pasteToken, readToken
    // Check.
    case check
    // Taking along.
    case copy, copyAddress, saveCopy, report
    // Inspector.
    case inspect, openExchange, reveal, olderFlow, newerFlow, nextStep, previousStep, saveText, saveHAR
    // Error.
    case takeNextStep, tryAgain, signInInstead
    // Set-up and profiles.
    case profiles, chooseProvider, tryDemo, useProfile, addProfile, editProfile, removeProfile, makeDefault
    case submit, nextField, previousField, askAuthority
    // Scenarios.
    case scenarios, startScenario, walkOn
    // Dialogs.
    case confirm, decline, moveFocus, choose
    // Everywhere.
    case palette, runCommand, help, back, close, interrupt
}
