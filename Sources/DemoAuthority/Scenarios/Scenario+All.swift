extension Scenario {
    /// Every scenario, in reading order.
    package static let all: [Scenario] = [
        plainSignIn, stepUp, consentDeclined, incrementalConsent, conditionalAccess, passwordChanged, guest,
        personalAccount, b2cPolicy, externalTenant, threeApps, adalMigration, throttled, outage, wrongClock,
        keyRotation, deniedDeviceCode, slowNetwork,
    ]

    static let ann = "ann@contoso.example"
    static let wang = "wang@contoso.example"
    static let zoe = "zoe@fabrikam.example"
    static let mia = "mia@outlook.example"

    static let lea = "lea@woodgrove.example"
    static let raj = "raj@adventure.example"

    /// Access tokens so short-lived that every silent request refreshes.
    static let briefTokens: Lifetimes = {
        var lifetimes = Lifetimes()
        lifetimes.accessToken = 60
        return lifetimes
    }()
}
