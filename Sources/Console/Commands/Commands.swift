import TerminalUI

/// The one table of commands, in the order they are listed.
package enum Commands {
    package static let all: [Command] =
        view + claimsCommands + failureCommands + signInForm + profileCommands + inspecting + checking + copying
        + reporting + dialog + moving + paletteCommands + everywhere

    /// Those that a focus listens to.
    package static func on(_ focus: Focus) -> [Command] {
        all.filter { $0.focuses.contains(focus) }
    }

    package static func command(for key: Key, on focus: Focus) -> Command? {
        all.first { $0.focuses.contains(focus) && $0.keys.contains(key) }
    }

    package static func command(_ id: CommandID, on focus: Focus) -> Command? {
        all.first { $0.id == id && $0.focuses.contains(focus) }
    }

    static let screens: Set<Focus> = [
        .startProblem, .accounts, .signInForm, .signIn, .silent, .claims, .failure, .check, .inspector, .exchange,
        .scenarios, .providers, .profiles,
    ]
    static let dialogs: Set<Focus> = [
        .removalDialog, .interactionDialog, .profileRemovalDialog, .discardDialog,
    ]

    private static let view = [
        Command(
            .open, [.enter],
            "Get a token for the selected account without asking, and show its claims. In an empty list: sign in.",
            hint: "claims", hintedIf: { !$0.accounts.all.isEmpty }, in: [.accounts], if: canOpen),
        Command(
            .signIn, [.character("i")], "Sign in, the way that the profile names or that fits this machine.",
            hint: "sign in", in: [.accounts]),
        Command(
            .signInWithCode, [.character("c")], "Sign in with a code that you enter on another device.",
            hint: "code", in: [.accounts], if: canUseCode),
        Command(
            .signInByPaste, [.character("p")], "Sign in with a browser elsewhere, and paste the address it ends on.",
            in: [.accounts]),
        Command(
            .renew, [.character("R")],
            "Have the authority renew the selected account's token now, even where the cached one still counts.",
            hint: "renew", in: [.accounts], if: canRenew),
        Command(
            .remove, [.character("D")], "Remove the selected account from this computer; asks first.",
            hint: "remove", in: [.accounts], dangerous: true, if: canRemove),
        Command(
            .filter, [.character("/")], "Show only the accounts that contain what you type.", hint: "filter",
            in: [.accounts], if: needsAccounts),
        Command(
            .reload, [.character("r"), .function(5), .control("r")], "Read the accounts from the cache again.",
            hint: "reload", in: [.accounts], if: canReload),
        Command(
            .sort, [.character("s")],
            "Order the list another way: by environment and tenant, name, user name, or the end of the token.",
            in: [.accounts], if: needsAccounts),
        Command(
            .keepFilter, [.enter], "Keep the filter and go back to the list.", hint: "keep", in: [.filter]),
        Command(
            .paste, [.character("p")], "Type or paste the address that the browser ended on.", hint: "paste",
            in: [.signIn], if: canPaste),
        Command(
            .signInWithCode, [.character("c")], "Use a code on another device instead; what is waited for here ends.",
            hint: "code",
            in: [.signIn], if: canChangeToCode),
        Command(
            .signIn, [.character("i")], "Use the browser of this machine instead; what is waited for here ends.",
            hint: "browser",
            in: [.signIn], if: isNot(.browser)),
        Command(
            .picture, [.character("z")],
            "Show the address as a picture alone, for a window too small for both, or the text again.",
            hint: "QR code", hintedIf: hasPicture, in: [.signIn], if: needsPicture),
        Command(
            .sendPaste, [.enter], "Use what was pasted.", hint: "use it", in: [.pasteEntry]),
    ]

    private static let copyables: Set<Focus> = [.signIn, .claims, .failure, .check, .inspector, .exchange]

    private static let copying = [
        Command(
            .copy, [.character("y")], "Copy the address to open, or the code to enter, to the terminal's clipboard.",
            hint: "copy", in: [.signIn], if: hasCopyable),
        Command(
            .copyAddress, [.character("u")], "Copy the address of the page to the terminal's clipboard.",
            in: [.signIn], if: hasPageAddress),
        Command(
            .copy, [.character("y")], "Copy the selected row's value to the terminal's clipboard.", hint: "copy",
            in: [.claims], if: hasCopyable),
        Command(
            .copy, [.character("y")], "Copy what is said of the error to the terminal's clipboard.", hint: "copy",
            in: [.failure], if: hasCopyable),
        Command(
            .copy, [.character("y")], "Copy a report of the flow, without secrets, to the terminal's clipboard.",
            hint: "copy", in: [.inspector], if: hasCopyable),
        Command(
            .copy, [.character("y")], "Copy the selected value, as it is shown, to the terminal's clipboard.",
            hint: "copy", in: [.exchange], if: hasCopyable),
        Command(
            .saveCopy, [.character("Y")], "Write the same to a file that only you can read.", in: copyables,
            if: hasCopyable),
        Command(
            .walkOn, [.character("n")], "Do the next step of the scenario's walk.", hint: "next step",
            in: [.accounts, .claims, .failure], if: hasNextStep),
        Command(
            .scenarios, [.character("w")], "Choose a scenario of the demonstration.", hint: "scenarios",
            in: [.accounts], if: hasScenarios),
        Command(
            .startScenario, [.enter], "Start the selected scenario, with a cache of its own.", hint: "start",
            in: [.scenarios]),
    ]

    private static let dialog = [
        Command(.choose, [.enter], "Give the answer that is marked.", hint: "choose", in: dialogs),
        Command(
            .moveFocus, [.tab, .backTab, .left, .right, .character("h"), .character("l")], "Mark the other answer.",
            hint: "other answer", in: dialogs),
        Command(
            .confirm, [.character("y")], "Yes, remove it.", hint: "yes", in: [.removalDialog, .profileRemovalDialog],
            dangerous: true),
        Command(.confirm, [.character("y")], "Yes, discard it.", hint: "yes", in: [.discardDialog]),
        Command(.confirm, [.character("y")], "Yes, sign in.", hint: "yes", in: [.interactionDialog]),
        Command(.decline, [.character("n"), .escape, .character("q")], "No, leave it.", hint: "no", in: dialogs),
    ]

    private static let lists: Set<Focus> = [
        .accounts, .claims, .failure, .check, .inspector, .exchange, .scenarios, .help, .providers, .profiles,
    ]

    private static let moving = [
        Command(.up, [.up, .character("k")], "One row up.", group: .moving, in: lists),
        Command(.down, [.down, .character("j")], "One row down.", group: .moving, in: lists),
        Command(.up, [.up], "One row up.", group: .moving, in: [.filter]),
        Command(.down, [.down], "One row down.", group: .moving, in: [.filter]),
        Command(.pageUp, [.pageUp], "One page up.", group: .moving, in: lists),
        Command(.pageDown, [.pageDown], "One page down.", group: .moving, in: lists),
        Command(.halfPageUp, [.control("u")], "Half a page up.", group: .moving, in: lists),
        Command(.halfPageDown, [.control("d")], "Half a page down.", group: .moving, in: lists),
        Command(.first, [.home, .character("g")], "To the first row.", group: .moving, in: lists),
        Command(.last, [.end, .character("G")], "To the last row.", group: .moving, in: lists),
    ]

    private static let everywhere = [
        Command(
            .help, [.character("?"), .function(1)], "Show what the keys do here.", hint: "help", group: .everywhere,
            in: screens),
        Command(.help, [.function(1)], "Show what the keys do here.", hint: "help", group: .everywhere, in: [.setUp]),
        Command(.back, [.escape], "Cancel the sign-in and go back.", hint: "cancel", group: .everywhere, in: [.signIn]),
        Command(
            .back, [.escape], "Stop pasting; the sign-in waits on.", hint: "not now", group: .everywhere,
            in: [.pasteEntry]),
        Command(.back, [.escape], "Stop and go back.", hint: "cancel", group: .everywhere, in: [.silent]),
        Command(
            .back, [.escape], "Go back.", hint: "back", group: .everywhere,
            in: [.claims, .failure, .check, .inspector, .exchange, .scenarios, .profiles]),
        Command(
            .back, [.escape], "Go back. From the first screen it never ends the program.", group: .everywhere,
            in: [.providers]),
        Command(
            .back, [.escape], "Go back; asks before it discards what was typed.", hint: "back", group: .everywhere,
            in: [.setUp]),
        Command(
            .back, [.escape], "Clear the filter. It never ends the program.", group: .everywhere, in: [.accounts]),
        Command(
            .back, [.escape], "Nothing: there is no way back from here, and it never ends the program.",
            group: .everywhere, in: [.startProblem]),
        Command(.back, [.escape], "Clear the filter.", hint: "clear", group: .everywhere, in: [.filter]),
        Command(
            .back, [.escape, .enter, .character("q"), .character("?"), .function(1)], "Close the help.", hint: "close",
            group: .everywhere, in: [.help]),
        Command(
            .close, [.character("q")], "End the program.", hint: "quit", group: .everywhere,
            in: [.accounts, .startProblem]),
        Command(
            .close, [.character("q")], "Close this view; what runs is cancelled.", group: .everywhere,
            in: [.signInForm, .signIn, .silent, .claims, .failure, .check, .scenarios, .profiles]),
        Command(
            .close, [.character("q")], "Close this view; on the first screen, end the program.", hint: "quit",
            group: .everywhere, in: [.providers]),
        Command(
            .close, [.character("q")], "Close this view; what runs goes on.", group: .everywhere,
            in: [.inspector, .exchange]),
        Command(
            .interrupt, [.control("c")], "Cancel what runs; if nothing does, end the program.", group: .everywhere,
            in: Set(Focus.allCases)),
    ]
}
