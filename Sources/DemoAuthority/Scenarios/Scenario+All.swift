extension Scenario {
    /// Every scenario, in the order in which they are best told.
    package static let all: [Scenario] = [plainSignIn, consentDeclined, passwordChanged]

    static let ann = "ann@contoso.example"
    static let wang = "wang@contoso.example"
    static let zoe = "zoe@fabrikam.example"
    static let mia = "mia@outlook.example"

    /// So short that every silent request has to renew.
    static let briefTokens: Lifetimes = {
        var lifetimes = Lifetimes()
        lifetimes.accessToken = 60
        return lifetimes
    }()
}
