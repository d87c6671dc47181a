import TerminalUI

/// Looking at the set-up.
extension Commands {
    static let checking = [
        Command(
            .check, [.character("x")], "Check the set-up: what is right, what is not, and what to do about it.",
            in: [.accounts]),
        Command(
            .check, [.character("x")], "Check the set-up: what is right, what is not, and what to do about it.",
            hint: "check", in: [.failure, .startProblem]),
        Command(
            .check, [.character("r"), .character("x"), .function(5)], "Look once more.", hint: "again", in: [.check],
            if: hasEnded),
        Command(
            .copy, [.character("y")], "Copy all that was found to the terminal's clipboard.", hint: "copy",
            in: [.check], if: hasCopyable),
    ]

    private static let reportSentence =
        "Write a support report, without secrets and names, to a file that only you can read."

    static let reporting = [
        Command(.report, [.character("s")], reportSentence, hint: "report", in: [.check]),
        // The hints fill the line; the screen names the key itself.
        Command(.report, [.character("s")], reportSentence, in: [.failure]),
    ]
}
