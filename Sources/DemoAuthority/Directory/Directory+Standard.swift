import OAuthCore

extension Directory {
    package static let demoClientID = "6b657974-7572-4e00-8000-64656d6f0001"

    /// Two clients of one family, which share refresh tokens.
    package static let familyClientIDs = [
        "6b657974-7572-4e00-8000-64656d6f0002", "6b657974-7572-4e00-8000-64656d6f0003",
    ]

    package static let contoso = "0c047050-7a3e-4c1b-9d52-6f1e8a2b4c01"
    package static let fabrikam = "fab71ca3-51d8-4f0e-8b6a-2c9d7e3f5a02"
    private static let woodgrove = "300d6012-0e5a-4b7d-a1c6-8d2f5b9e7a03"
    private static let adventure = "ad7e4712-9c3b-4f60-b8e5-1a6c2d4f8b04"
    private static let graph = "https://graph.keyturn.example"

    package static let standard = Directory(
        tenants: [
            Tenant(id: contoso, name: "Contoso", domains: ["contoso.example", "contoso"]),
            Tenant(id: fabrikam, name: "Fabrikam", domains: ["fabrikam.example", "fabrikam"]),
            Tenant(id: Tenant.personalAccountsID, name: "Personal accounts", domains: ["outlook.example"]),
            Tenant(
                id: woodgrove, name: "Woodgrove", domains: ["woodgrove.example", "woodgrove"],
                policies: ["b2c_1_signin", "b2c_1_editprofile"]),
            Tenant(id: adventure, name: "Adventure Works", domains: ["adventure.example", "adventure"]),
        ],
        users: [ann, wang, zoe, mia, lea, raj],
        clients: [keyturn] + family,
        resources: [peopleAPI, files])

    private static let keyturn = RegisteredClient(
        id: demoClientID, name: "Keyturn",
        redirectURIs: loopback + loopback.flatMap { root in (1...3).map { "\(root)/app\($0)" } }
            + ["msauth.org.keyturn.app://auth"],
        staticScopes: ["User.Read"])

    private static let family = zip(familyClientIDs, ["Keyturn Mail", "Keyturn Files"]).map { id, name in
        RegisteredClient(id: id, name: name, redirectURIs: loopback, staticScopes: ["User.Read"], familyID: "1")
    }

    private static let loopback = Loopback.usualHosts.map { "http://\($0)" }

    private static let ann = User(
        objectID: "a1b2c3d4-0001-4a00-8a00-00000000a001", tenantID: contoso, username: "ann@contoso.example",
        password: "ann-likes-tea", name: "Ann Archer", givenName: "Ann", familyName: "Archer",
        story: "An employee who has already consented to the usual scopes.",
        consents: [demoClientID: ["openid", "profile", "email", "offline_access", "\(graph)/user.read"]])

    private static let wang = User(
        objectID: "a1b2c3d4-0002-4a00-8a00-00000000a002", tenantID: contoso, username: "wang@contoso.example",
        password: "wang-likes-jazz", name: "王小明", givenName: "小明", familyName: "王",
        story: "Hasn't consented yet: the consent page opens. Wide characters in the name.")

    // Decomposed on purpose (base letters with combining marks), as some directories store names.
    private static let zoe = User(
        objectID: "a1b2c3d4-0003-4a00-8a00-00000000a003", tenantID: fabrikam,
        username: "zoe@fabrikam.example", password: "zoe-likes-rain",
        name: "Zoe\u{308} A\u{30A}ngstro\u{308}m", givenName: "Zoe\u{308}", familyName: "A\u{30A}ngstro\u{308}m",
        story: "A Fabrikam employee and guest of Contoso. Combining marks in the name.",
        guestObjectIDs: [contoso: "a1b2c3d4-0003-4a00-8a00-0000000c0003"])

    private static let mia = User(
        objectID: "00000000-0000-0000-5a00-00000000a004", tenantID: Tenant.personalAccountsID,
        username: "mia@outlook.example", password: "mia-likes-maps", name: "Mia Moreno", givenName: "Mia",
        familyName: "Moreno", story: "A personal account.")

    private static let lea = User(
        objectID: "a1b2c3d4-0005-4a00-8a00-00000000a005", tenantID: woodgrove, username: "lea@woodgrove.example",
        password: "lea-likes-snow", name: "Lea Lind", givenName: "Lea", familyName: "Lind",
        story: "A customer of Woodgrove, who signs in with a user flow.", isCustomer: true)

    private static let raj = User(
        objectID: "a1b2c3d4-0006-4a00-8a00-00000000a006", tenantID: adventure, username: "raj@adventure.example",
        password: "raj-likes-bikes", name: "Raj Rao", givenName: "Raj", familyName: "Rao",
        story: "A customer of Adventure Works, an external tenant.", isCustomer: true)

    private static let peopleAPI = ProtectedResource(
        identifier: graph, name: "Demonstration directory",
        scopes: [
            .init(name: "User.Read", title: "Read your profile", explanation: "Your name, username and photo."),
            .init(
                name: "User.ReadBasic.All", title: "Read basic profiles of others", explanation: "Names of colleagues."),
            .init(name: "Mail.Read", title: "Read your mail", explanation: "Every message in your mailbox."),
            .init(
                name: "Calendars.Read", title: "Read your calendar", explanation: "Appointments and who attends them."),
        ])

    private static let files = ProtectedResource(
        identifier: "api://keyturn-files", name: "Demonstration files",
        scopes: [
            .init(name: "Files.Read", title: "Read your files", explanation: "Files that you own."),
            .init(
                name: "Files.ReadWrite", title: "Change your files",
                explanation: "Create, change and delete your files."),
        ])
}
