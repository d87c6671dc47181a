import TerminalUI

/// The commands of the error screen.
extension Commands {
    static let failureCommands = [
        Command(
            .takeNextStep, [.enter], "Do what the screen says helps.", hint: "next step", in: [.failure]),
        Command(
            .tryAgain, [.character("r")], "Try the same again.", hint: "try again", in: [.failure], if: canTryAgain),
        Command(
            .signInInstead, [.character("i")], "Sign in, the way that the profile names or that fits this machine.",
            hint: "sign in", in: [.failure],
            if: canSignIn),
    ]
}
