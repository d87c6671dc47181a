extension Scenario {
    /// Every scenario, in the order in which they are best told.
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

    /// So short that every silent request has to renew.
    static let briefTokens: Lifetimes = {
        var lifetimes = Lifetimes()
        lifetimes.accessToken = 60
        return lifetimes
    }()
}
