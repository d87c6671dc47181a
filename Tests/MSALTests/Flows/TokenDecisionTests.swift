import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Which server gets which token (docs/decisions/0053).
@Suite("Decisions about tokens", .oneSessionAtATime) struct TokenDecisionTests {
    enum Kind: CaseIterable {
        case provider, silentProvider, entra, entraAsProvider, external, gitHub, google, server

        var authority: Authority {
            get throws {
                switch self {
                case .provider, .silentProvider: try AuthorityRules.openID(url("https://id.example/realm"))
                case .entra: try AuthorityRules.classify(url("https://login.microsoftonline.com/contoso.example"))
                case .entraAsProvider:
                    try AuthorityRules.openID(url("https://login.microsoftonline.com/contoso.example/v2.0"))
                case .external: try AuthorityRules.classify(url("https://contoso.ciamlogin.com/contoso.example"))
                case .gitHub: try MSALOAuthAuthority(url: url("https://github.com")).value
                case .google: try AuthorityRules.openID(url("https://accounts.google.com"))
                case .server: try MSALOAuthAuthority(url: url("https://git.example")).value
                }
            }
        }

        /// The audience is in the scopes.
        var readsScopes: Bool { [.entra, .entraAsProvider, .external].contains(self) }
    }

    enum Named: CaseIterable { case own, other, graph, graphByID, bare, usual, azure, vault, mixed, none, openID }

    static let scopes: [Named: Scopes] = [
        .own: ["https://mcp.example/tools"], .other: ["api://11111111-2222-3333-4444-555555555555/Tasks.Read"],
        .graph: ["https://graph.microsoft.com/Mail.Read"],
        .graphByID: ["00000003-0000-0000-C000-000000000000/Mail.Read"], .bare: ["Mail.Read"], .usual: [".default"],
        .azure: ["https://management.core.windows.net//user_impersonation"],
        .vault: ["https://contoso.vault.usgovcloudapi.net/.default"],
        .mixed: ["api://11111111-2222-3333-4444-555555555555/Tasks.Read", "HTTPS://GRAPH.MICROSOFT.COM/Mail.Read"],
        .none: [], .openID: ["openid", "profile", "email", "offline_access"],
    ]

    static let server = url("https://mcp.example/mcp?session=1")

    /// The table of cases, without the code's own rules.
    private static func expected(
        _ kind: Kind, _ named: Named, isNamed: Bool, isConfigured: Bool, isAgreed: Bool
    ) -> TokenDecision.Verdict {
        if kind == .provider { return .allowed(.bound) }
        if kind.readsScopes, named == .own { return .allowed(.own) }
        if isNamed { return .allowed(.named) }
        if isConfigured { return .allowed(.configured) }
        switch named {
        case .own, .other: break
        case .graph, .graphByID, .bare, .usual, .azure, .vault, .mixed, .none, .openID:
            if kind.readsScopes {
                let rejected = (scopes[named] ?? []).withoutOpenID.names.filter { !$0.hasPrefix("api://") }
                let apis: [Named: String] = [
                    .azure: "Azure Resource Manager", .vault: "https://contoso.vault.usgovcloudapi.net",
                ]
                return .rejected(Scopes(rejected), api: apis[named] ?? "Microsoft Graph")
            }
        }
        return isAgreed ? .allowed(.agreed) : .needsAgreement((scopes[named] ?? []).withoutOpenID)
    }

    @Test(
        "Each kind of authority, scopes and decision gives what the table of cases says", arguments: Kind.allCases,
        Named.allCases)
    func everyCase(kind: Kind, named: Named) throws {
        for bits in 0..<8 {
            let (isNamed, isConfigured, isAgreed) = (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0)
            let scopes = try #require(Self.scopes[named])
            var decision = TokenDecision(
                server: Self.server, authority: try kind.authority, sendsResource: kind != .silentProvider,
                scopes: scopes)
            if isNamed { decision.named = scopes }
            if isConfigured { decision.configured = scopes }
            if isAgreed { decision.agreed = scopes }
            let expected = Self.expected(
                kind, named, isNamed: isNamed, isConfigured: isConfigured, isAgreed: isAgreed)
            #expect(decision.verdict == expected, "\(kind) \(named) \(bits)")
        }
    }

    @Test(
        "A server that the organisation manages gets its own token only, whatever else was decided",
        arguments: Kind.allCases)
    func managed(kind: Kind) throws {
        let scopes = try #require(Self.scopes[.own])
        var decision = TokenDecision(
            server: Self.server, authority: try kind.authority, sendsResource: true, scopes: scopes)
        (decision.named, decision.configured, decision.agreed) = (scopes, scopes, scopes)
        decision.managed = false
        #expect(decision.verdict == .managedElsewhere)
        decision.managed = true
        #expect(decision.verdict == .allowed(.managed))
    }

    @Test("Who named only the server decided about no API of Microsoft", arguments: Kind.allCases, Named.allCases)
    func serverOnly(kind: Kind, named: Named) throws {
        let scopes = try #require(Self.scopes[named])
        var decision = TokenDecision(
            server: Self.server, authority: try kind.authority, sendsResource: false, scopes: scopes)
        let asked = decision.verdict
        (decision.named, decision.namesServerOnly) = (scopes, true)
        if case .rejected = asked {
            #expect(decision.verdict == asked, "\(kind) \(named)")
        } else {
            #expect(decision.verdict == (asked == .allowed(.own) ? asked : .allowed(.named)), "\(kind) \(named)")
        }
    }

    @Test(
        "A scope has one API, however it is spelled, and its tokens belong only to that API's servers",
        arguments: [
            ("User.Read", "https://graph.microsoft.com/v1.0/me", true),
            ("User.Read", "https://graph.microsoft.us/v1.0/me", false),
            ("User.Read", "https://graph.microsoft.com.evil.example/", false),
            ("User.Read", "https://evilgraph.microsoft.com/", false),
            ("User.Read", "http://graph.microsoft.com/", false),
            ("User.Read", "https://graph.microsoft.com:8443/", false),
            ("https://vault.azure.net/.default", "https://contoso.vault.azure.net/secrets", true),
            ("https://contoso.vault.azure.net/.default", "https://other.vault.azure.net/secrets", false),
            ("https://management.core.windows.net//.default", "https://management.azure.com/subscriptions", true),
            ("cfa8b339-82a2-471a-a3c9-0fc0be7a4093/.default", "https://contoso.vault.azure.net/", true),
            ("ddbf3205-c6bd-46ae-8127-60eb93363864/.default", "https://a.westeurope.batch.azure.com/jobs", true),
            ("https://dev.azuresynapse.net/.default", "https://ws.dev.azuresynapse.net/pipelines", true),
            ("https://servicebus.azure.net/.default", "https://ns.servicebus.usgovcloudapi.net/q", false),
            ("https://api.example/read", "https://API.example:443/x", true),
            ("https://api.example/read", "https://api.example:444/x", false),
            ("https://api.example@evil.example/read", "https://evil.example/x", false),
            ("api://api.example/read", "https://api.example/x", false),
        ])
    func owners(scope: String, server: String, isOwn: Bool) throws {
        #expect(ScopeTarget(scope).isOwn(by: url(server), at: url("https://login.microsoftonline.com/common")) == isOwn)
    }

    @Test(
        "Every spelling of Microsoft's own APIs is one of them",
        arguments: [
            "Mail.Read", ".default", "https://graph.microsoft.com./.default",
            "https://graph.microsoft.com:443/Mail.Read",
            "https://GRAPH.microsoft.com//Mail.Read", "https://graph.microsoft.com",
            "api://00000003-0000-0000-c000-000000000000/x",
            "spn:00000003-0000-0000-c000-000000000000/x", "00000002-0000-0ff1-ce00-000000000000/x",
            "https://contoso.sharepoint.com/Sites.Read", "https://new.azure.com/x",
            "https://org.crm4.dynamics.com/.default", "0000000a-0000-0000-c000-000000000000/x",
            "c161e42e-d4df-4a3d-9b42-e7a3c31f59d4/.default", "https://fef.msua01.manage.microsoft.us/x",
            "ddbf3205-c6bd-46ae-8127-60eb93363864/.default", "https://batch.core.chinacloudapi.cn/.default",
            "https://ws.dev.azuresynapse.azure.cn/.default", "https://dev.azuresynapse.net/.default",
            "1ac05c7e-12d2-4605-bf9d-549d7041c6b3/x", "499b84ac-1321-427f-aa17-267ca6975798/.default",
            "2746ea77-4702-4b45-80ca-3c97e680e8b7/x", "https://high.analysis.usgovcloudapi.net/powerbi/api/.default",
            "https://api.applicationinsights.us/Data.Read", "https://registry.azurecr.io/.default",
            "https://org.crm.microsoftdynamics.us/.default", "https://aadrm.com/.default",
            "{00000003-0000-0000-C000-000000000000}/Mail.Read", "(00000003-0000-0000-c000-000000000000)/x",
            "urn:uuid:00000003-0000-0000-c000-000000000000/Mail.Read",
            "URN:UUID:{797f4846-ba00-4fd7-ba43-dac1f8f63013}/x",
            "0000000300000000c000000000000000/Mail.Read", "api://{cfa8b339-82a2-471a-a3c9-0fc0be7a4093}/x",
            "00000003-0000-0000-c000-000000000000/ags.windows.net/Mail.Read",
            "%7B00000003-0000-0000-c000-000000000000%7D/x", "00000003%2D0000%2D0000%2Dc000%2D000000000000/x",
            "https://graph%2Emicrosoft.com/Mail.Read", "https://graph%252Emicrosoft.com/x",
            "https://graph.microsoft.com%2FMail.Read", "https:%2F%2Fgraph.microsoft.com/Mail.Read",
            "https://graph.microsoft.com%2E/x", "https://graph.microsoft.com../x", "https://graph.microsoft.com:/x",
            "https://any:one@graph.microsoft.com/Mail.Read", "https://graph.microsoft.com./v1.0/Mail.Read",
            "https:///graph.microsoft.com/x", "graph.microsoft.com/Mail.Read", "//graph.microsoft.com/x",
            "https://graph%EF%BC%8Emicrosoft.com/x", "https://graph%E3%80%82microsoft%E3%80%82com/x",
            "https://%EF%BD%87raph.microsoft.com/x", "https:%5C%5Cgraph.microsoft.com%5CMail.Read", "Mail%2ERead",
        ])
    func spellings(scope: String) { #expect(ScopeTarget(scope).isMicrosofts) }

    @Test(
        "What only resembles an API of Microsoft is another one's",
        arguments: [
            "https://graph.microsoft.com@evil.example/x", "https://graph.microsoft.com.evil.example/x",
            "https://notgraph.example/graph.microsoft.com/x", "api://11111111-2222-3333-4444-555555555555/x",
            "{11111111-2222-3333-4444-555555555555}/x", "api://keyturn-files/Files.Read",
            "https://contoso.onmicrosoft.com/api/x", "api://graph/x", "https://api.example/%zz/x",
        ])
    func others(scope: String) {
        #expect(!ScopeTarget(scope).isMicrosofts)
        #expect(ScopeTarget(scope) != ScopeTarget(scope.dropLast() + "%78"))
    }

    private static let files = "api://keyturn-files/Files.Read"

    /// Ann has consented to what the server asks for, so that nothing would open.
    private static func consented() async throws -> SignedInWorld {
        let signedIn = try await SignedInWorld()
        var world = signedIn.world
        world.seat(.ann)
        _ = try await world.application().acquireToken(
            with: MSALInteractiveTokenParameters(scopes: [files], webviewParameters: MSALWebviewParameters()))
        return signedIn
    }

    @Test("Without the user's yes a program gets no token for a foreign server; a yes is for one endpoint and scope")
    func agreements() async throws {
        let signedIn = try await Self.consented()
        let files = Self.files
        func token(
            _ path: String = "mcp", _ scope: String = files, force: Bool = false,
            agreeing agreement: MSALTokenAgreement? = nil
        ) async throws -> MSALResult {
            let parameters = MSALSilentTokenParameters(scopes: [scope], account: signedIn.account)
            parameters.forceRefresh = force
            parameters.destination = MSALTokenDestination(url("https://mcp.example/\(path)"))
            parameters.destination?.agreement = agreement
            return try await signedIn.application.acquireTokenSilent(with: parameters)
        }
        func question(_ work: () async throws -> MSALResult) async throws -> MSALTokenAgreement {
            let error = try await SignedInWorld.failure(work)
            #expect(error.code == MSALError.interactionRequired.rawValue)
            return try #require(error.userInfo[MSALTokenAgreementKey] as? MSALTokenAgreement)
        }
        signedIn.world.transport.forget()
        for scope in ["User.Read", ".default", "https://graph.microsoft.com/User.Read"] {
            let error = try await SignedInWorld.failure { try await token("mcp", scope) }
            #expect(error.userInfo[MSALDestinationKey] as? URL == url("https://mcp.example/mcp"))
            #expect(error.userInfo[MSALTokenAgreementKey] == nil)
        }
        let needed = try await question { try await token() }
        #expect(
            needed.apis == ["api://keyturn-files"] && needed.username == "ann@contoso.example"
                && needed.scopes == [files])
        #expect(signedIn.world.transport.requests.isEmpty)
        _ = try await question { try await token(force: true) }

        #expect(try await token("mcp?session=1", agreeing: needed).scopes.contains(files))
        #expect(try await token().isFromCache)
        #expect(!(try await token("mcp?session=2", force: true).isFromCache))
        let elsewhere = try await question { try await token("other") }
        #expect(elsewhere.otherEndpoints == [url("https://mcp.example/mcp")])
        _ = try await question { try await token("other", agreeing: needed) }
        let more = try await question { try await token("mcp", "api://keyturn-files/Files.ReadWrite") }
        #expect(more.scopes == ["api://keyturn-files/Files.ReadWrite"])

        #expect(try signedIn.application.tokenAgreements().map(\.url) == [url("https://mcp.example/mcp")])
        try signedIn.application.remove(signedIn.account)
        #expect(try signedIn.application.tokenAgreements().isEmpty)
    }

    @Test("A yes, given or kept, counts for the endpoint, authority, application, account and scopes of its question")
    func otherAgreements() async throws {
        let signedIn = try await Self.consented()
        let parameters = MSALSilentTokenParameters(scopes: [Self.files], account: signedIn.account)
        parameters.destination = MSALTokenDestination(url("https://mcp.example/mcp"))
        func question() async throws -> MSALTokenAgreement {
            let error = try await SignedInWorld.failure {
                try await signedIn.application.acquireTokenSilent(with: parameters)
            }
            return try #require(error.userInfo[MSALTokenAgreementKey] as? MSALTokenAgreement)
        }
        let needed = try await question()
        func other(
            path: String = "mcp", authority: URL? = nil, client: String? = nil, account: String? = nil,
            scope: String = Self.files
        ) -> MSALTokenAgreement {
            MSALTokenAgreement(
                url: url("https://mcp.example/\(path)"), authority: authority ?? needed.authority,
                clientId: client ?? needed.clientId, accountIdentifier: account ?? needed.accountIdentifier,
                scopes: [scope])
        }
        for other in [
            other(path: "other"), other(authority: url("https://login.example/other")), other(client: "other"),
            other(account: "other"), other(scope: "api://keyturn-files/Files.ReadWrite"),
        ] {
            parameters.destination?.agreement = other
            _ = try await question()
            parameters.destination?.agreement = nil
            try TokenAgreements(documents: OwnDocuments(signedIn.world.dependencies)).save(other)
            _ = try await question()
        }
        parameters.destination?.agreement = other()
        _ = try await signedIn.application.acquireTokenSilent(with: parameters)
    }

    @Test("Agreements for other scopes add up; those of another account or application stay when some are taken back")
    func kept() throws {
        let agreements = TokenAgreements(documents: OwnDocuments(try World().dependencies))
        func kept(of client: String) throws -> [String] {
            try agreements.all(of: client).map { "\($0.username ?? "") \($0.scopes.sorted().joined())" }
        }
        for (account, client, scope) in [("ann", "c", "a"), ("ann", "c", "b"), ("wang", "c", "a"), ("ann", "d", "a")] {
            try agreements.save(
                MSALTokenAgreement(
                    url: url("https://mcp.example/mcp"), authority: url("https://id.example"), clientId: client,
                    accountIdentifier: account, username: account, scopes: [scope]))
        }
        #expect(try kept(of: "c") == ["ann ab", "wang a"])
        try agreements.forget(account: "ann", clientID: "c")
        #expect(try kept(of: "c") == ["wang a"])
        #expect(try kept(of: "d") == ["ann a"])
        try agreements.forget(clientID: nil)
        #expect(try kept(of: "c").isEmpty && kept(of: "d").isEmpty)
    }

    @Test("A user who signs in gets no token for a server that another user agreed to")
    func anotherUser() async throws {
        let signedIn = try await Self.consented()
        var world = signedIn.world
        let parameters = MSALSilentTokenParameters(
            scopes: [Self.files], account: signedIn.account)
        parameters.destination = MSALTokenDestination(url("https://mcp.example/mcp"))
        let error = try await SignedInWorld.failure {
            try await signedIn.application.acquireTokenSilent(with: parameters)
        }
        parameters.destination?.agreement = error.userInfo[MSALTokenAgreementKey] as? MSALTokenAgreement
        _ = try await signedIn.application.acquireTokenSilent(with: parameters)

        world.seat(.wang)
        let signIn = MSALInteractiveTokenParameters(
            scopes: [Self.files], webviewParameters: MSALWebviewParameters())
        signIn.destination = MSALTokenDestination(url("https://mcp.example/mcp"))
        let other = try await SignedInWorld.failure { try await world.application().acquireToken(with: signIn) }
        let needed = try #require(other.userInfo[MSALTokenAgreementKey] as? MSALTokenAgreement)
        #expect(needed.username == "wang@contoso.example")
    }
}

private func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/") }
