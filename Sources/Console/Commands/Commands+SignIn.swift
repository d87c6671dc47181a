/// What the form of a sign-in listens to.
extension Commands {
    private static let form: Set<Focus> = [.signInForm, .signInField]

    private static let canBeChosen: @Sendable (Model) -> Availability = { model in
        guard case .signInForm(let form) = model.routes.last, let obstacle = form.obstacle else { return .available }
        return .unavailable(obstacle)
    }

    static let signInForm = [
        Command(
            .signInOptions, [.character("o")], "Choose how, for what and where to sign in.", hint: "options",
            in: [.accounts]),
        Command(.submitForm, [.enter], "Sign in as the form says.", hint: "sign in", in: form, if: canBeChosen),
        Command(
            .chooseRow, [.character(" ")], "Choose this way, take this scope in or out, or show the next answer.",
            hint: "choose", in: [.signInForm], if: canBeChosen),
        Command(.nextAnswer, [.right, .character("l")], "Show the next answer.", in: [.signInForm]),
        Command(.previousAnswer, [.left, .character("h")], "Show the answer before.", in: [.signInForm]),
        Command(.up, [.up, .backTab, .character("k")], "One row up.", group: .moving, in: [.signInForm]),
        Command(
            .down, [.down, .tab, .character("j")], "One row down.", hint: "next", group: .moving, in: [.signInForm]),
        Command(.up, [.up, .backTab], "One row up.", group: .moving, in: [.signInField]),
        Command(.down, [.down, .tab], "One row down.", hint: "next", group: .moving, in: [.signInField]),
        Command(.first, [.home, .character("g")], "To the first row.", group: .moving, in: [.signInForm]),
        Command(.last, [.end, .character("G")], "To the last row.", group: .moving, in: [.signInForm]),
        Command(.back, [.escape], "Leave the form; nothing is asked.", hint: "cancel", group: .everywhere, in: form),
    ]
}
