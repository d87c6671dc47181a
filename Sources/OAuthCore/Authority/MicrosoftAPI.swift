import Foundation

/// The API that a scope of Microsoft Entra ID is for. The scope's prefix alone chooses the audience of a token there.
package struct ScopeTarget: Hashable, Sendable {
    /// The API's application ID URI or client ID in lower case; the name of an API of Microsoft that has several.
    package let api: String
    /// Whether the API is one of Microsoft's own.
    package let isMicrosofts: Bool
    /// The permission, in lower case.
    private let permission: String

    package init(_ scope: String) {
        let (identifier, permission) = Self.parts(scope.lowercased())
        self.permission = permission
        // Whether the authority decodes a scope isn't known.
        let readings = [identifier, Self.parts(scope.decoded).identifier]
        let known = readings.lazy.compactMap { $0.isEmpty ? MicrosoftAPI.graph : MicrosoftAPI.named($0) }.first
        api = known?.name ?? identifier
        isMicrosofts = known != nil || readings.contains(where: MicrosoftAPI.isOther)
    }

    /// The identifier of the API and the permission. `https://host//.default` has the slash that belongs to an identifier.
    private static func parts(_ scope: String) -> (identifier: String, permission: String) {
        guard let slash = scope.lastIndex(of: "/") else { return ("", scope) }
        let identifier = String(scope[..<slash].reversed().drop { $0 == "/" }.reversed())
        return identifier.hasSuffix(":") ? (scope, "") : (identifier, String(scope[scope.index(after: slash)...]))
    }

    /// Whether a token for this API is for a server, of the cloud of an authority.
    package func isOwn(by server: URL, at authority: URL) -> Bool {
        guard server.isSecureEndpoint else { return false }
        if let api = MicrosoftAPI.all.first(where: { $0.name == api }) {
            return server.lowercasedScheme == "https" && server.port ?? 443 == 443 && server.cloud == authority.cloud
                && api.serves(server.lowercasedHost)
        }
        guard let own = URL(string: api), own.isSecureEndpoint, own.query() == nil, own.fragment() == nil else {
            return false
        }
        return own.origin == server.origin
    }
}

/// Microsoft's own APIs. Tokens for them open a user's mail, files and subscriptions, and nothing in a token binds it to the
/// server that asked for it.
package struct MicrosoftAPI: Sendable {
    package let name: String
    let ids: Set<String>
    /// The hosts of its identifiers, in all national clouds; with a dot at the beginning, also those below.
    let identifiers: [String]
    /// More hosts that accept its tokens, with a dot at the beginning also those below.
    let servers: [String]

    /// Reads a row of the table: the name before a colon, the application IDs and identifiers, and the servers after a plus sign.
    private init(_ row: String) {
        let parts = row.split(separator: ": ", maxSplits: 1).map(String.init)
        let lists = (parts.last ?? "").split(separator: "+").map { $0.split(separator: " ").map(String.init) }
        let known = lists.first ?? []
        name = parts.first ?? ""
        // Only a host has a dot.
        ids = Set(known.filter { !$0.contains(".") })
        identifiers = known.filter { $0.contains(".") }
        servers = lists.dropFirst().first ?? []
    }

    func serves(_ host: String) -> Bool { (identifiers + servers).contains { host.isHost($0) } }

    /// The API with an identifier that stands for all of it: an application ID, or a URL.
    static func named(_ identifier: String) -> MicrosoftAPI? {
        let ids = applicationIDs(in: identifier)
        if let api = all.first(where: { !$0.ids.isDisjoint(with: ids) }) { return api }
        let host = host(of: identifier)
        return all.first { api in api.identifiers.contains { $0 == host || $0 == ".\(host)" } }
    }

    /// Whether an identifier is of a part of an API, as a vault is, or of an API that the table lacks.
    static func isOther(_ identifier: String) -> Bool {
        if applicationIDs(in: identifier).contains(where: { ownIDs.contains(where: $0.hasSuffix) }) { return true }
        let host = host(of: identifier)
        return domains.contains { host.isHost($0) } || all.contains { $0.identifiers.contains { host.isHost($0) } }
    }

    /// The GUIDs of an identifier: alone, in braces, after `api://`, `spn:` or `urn:uuid:`, before a path, and without hyphens.
    private static func applicationIDs(in identifier: String) -> Set<String> {
        let ids = identifier.split { !($0.isHexDigit || $0 == "-") }.map { $0.filter { $0 != "-" } }
        return Set(ids.compactMap { $0.count == 32 ? $0.hyphenated : nil })
    }

    /// The host of an identifier, also without a scheme: without a user name, a port and dots at its end.
    private static func host(of identifier: String) -> String {
        let start = identifier.range(of: "://")?.upperBound ?? identifier.startIndex
        let place = identifier[start...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        let host = (place.split(separator: "@").last ?? "").prefix { $0 != ":" }
        return host.split(separator: ".").joined(separator: ".")
    }

    /// The ends of the application IDs that only Microsoft's services have.
    private static let ownIDs = ["-0000-0000-c000-000000000000", "-0000-0ff1-ce00-000000000000"]

    /// Domains whose names only Microsoft gives to APIs, besides the identifiers of ``all``. Customers' own identifiers are below
    /// none of them.
    private static let domains = [
        ".azure.com", ".azure.net", ".azure.us", ".azure.cn", ".windows.net", ".microsoft.com", ".microsoft.us",
        ".office.com", ".office.net", ".office365.com", ".office365.us", ".usgovcloudapi.net", ".chinacloudapi.cn",
        ".cloudapi.de", ".microsoftazure.de", ".microsoftazure.us", ".powerbi.com", ".powerplatform.com",
        ".skype.com", ".visualstudio.com", ".onenote.com", ".yammer.com", ".loganalytics.io", ".loganalytics.us",
        ".azuresynapse.net", ".azuredatabricks.net", ".azuredatalakestore.net", ".azurehdinsight.net",
        ".azurecr.io", ".aadrm.com", ".botframework.com", ".appsplatform.us", ".powerplatform.us", ".powerbigov.us",
        ".microsoftonline.com", ".windowsazure.com",
    ]

    package static let graph = MicrosoftAPI(
        """
        Microsoft Graph: 00000003-0000-0000-c000-000000000000 graph.microsoft.com canary.graph.microsoft.com \
        graph.microsoft.us dod-graph.microsoft.us microsoftgraph.chinacloudapi.cn graph.microsoft.de
        """)
    static let all = [graph] + rows.split(separator: "\n").map { MicrosoftAPI(String($0)) }
    private static let rows = """
        Azure AD Graph: 00000002-0000-0000-c000-000000000000 graph.windows.net graph.microsoftazure.us \
        graph.chinacloudapi.cn graph.cloudapi.de
        Azure Resource Manager: 797f4846-ba00-4fd7-ba43-dac1f8f63013 management.azure.com management.core.windows.net \
        management.usgovcloudapi.net management.core.usgovcloudapi.net management.chinacloudapi.cn \
        management.core.chinacloudapi.cn management.microsoftazure.de management.core.cloudapi.de
        Azure Key Vault: cfa8b339-82a2-471a-a3c9-0fc0be7a4093 .vault.azure.net .vault.usgovcloudapi.net \
        .vault.azure.cn .vault.microsoftazure.de .managedhsm.azure.net .managedhsm.usgovcloudapi.net \
        .managedhsm.azure.cn
        Azure Storage: e406a681-f3d4-42a8-90b6-c2b029497af1 storage.azure.com .blob.core.windows.net \
        .dfs.core.windows.net .queue.core.windows.net .table.core.windows.net .file.core.windows.net \
        .blob.core.usgovcloudapi.net .dfs.core.usgovcloudapi.net .queue.core.usgovcloudapi.net \
        .blob.core.chinacloudapi.cn .dfs.core.chinacloudapi.cn .queue.core.chinacloudapi.cn
        Azure SQL Database: 022907d3-0f1b-48f7-badc-1ba6abab6d66 .database.windows.net .database.usgovcloudapi.net \
        .database.chinacloudapi.cn sql.azuresynapse.net
        Azure DevOps: 499b84ac-1321-427f-aa17-267ca6975798 app.vssps.visualstudio.com analytics.dev.azure.com + \
        .dev.azure.com .visualstudio.com
        Azure Kubernetes Service: 6dae42f8-4368-4678-94ff-3960e28e3630
        Azure Databricks: 2ff814a6-3304-4ab8-85cb-cd0e6f879c1d + .azuredatabricks.net .databricks.azure.us \
        .databricks.azure.cn
        Azure Service Bus: 80a10ef9-8168-493d-abf9-3297c4ef6e3c servicebus.azure.net + .servicebus.windows.net \
        .servicebus.usgovcloudapi.net .servicebus.chinacloudapi.cn
        Azure Event Hubs: 80369ed6-5f11-4dd9-bef3-692475845e77 eventhubs.azure.net + .servicebus.windows.net \
        .servicebus.usgovcloudapi.net .servicebus.chinacloudapi.cn
        Azure Batch: ddbf3205-c6bd-46ae-8127-60eb93363864 batch.core.windows.net batch.core.usgovcloudapi.net \
        batch.chinacloudapi.cn + .batch.azure.com .batch.usgovcloudapi.net .batch.chinacloudapi.cn
        Azure Synapse: 1ac05c7e-12d2-4605-bf9d-549d7041c6b3 ec52d13d-2e85-410e-a89a-8c79fb6a32ac .dev.azuresynapse.net \
        .dev.azuresynapse.usgovcloudapi.net .dev.azuresynapse.azure.cn
        Azure Data Explorer: 2746ea77-4702-4b45-80ca-3c97e680e8b7 725d0e77-e1fd-48f1-a295-2115457f7609 \
        .kusto.windows.net .kusto.usgovcloudapi.net .kusto.chinacloudapi.cn
        Azure Container Registry: 6a0ec4d3-30cb-4a83-91c0-ae56bc0e3d26 containerregistry.azure.net + .azurecr.io \
        .azurecr.us .azurecr.cn
        Azure App Configuration: 35ffadb3-7fc1-497e-b61b-381d28e744cc .azconfig.io .azconfig.azure.us \
        .azconfig.azure.cn
        Azure Database for MySQL and PostgreSQL: 123cd850-d9df-40bd-94d5-c9f07b7fa203
        Azure Virtual Desktop: 9cdead84-a844-4324-93f2-b2e6bb768d07 www.wvd.microsoft.com www.wvd.azure.us
        Azure Health Data Services: 4f6778d8-5aef-43dc-a1ff-b073724b9495 .azurehealthcareapis.com \
        .azurehealthcareapis.us
        Azure Cosmos DB: a232010e-820c-4083-83bb-3ace5fc29d0b cosmos.azure.com + .documents.azure.com \
        .documents.azure.us .documents.azure.cn
        Azure AI services: 7d312290-28c8-473c-a0ed-8e53749b6d6d .cognitiveservices.azure.com \
        .cognitiveservices.azure.us + .openai.azure.com .services.ai.azure.com .openai.azure.us
        Azure AI Foundry: 18a66f5f-dbdf-4c17-9dd7-1634712a9cbe ai.azure.com ml.azure.com ml.azure.us + \
        .services.ai.azure.com
        Azure AI Search: 880da380-985e-4198-81b9-e05b1cc53158 search.azure.com search.azure.us + .search.windows.net
        Azure Log Analytics: ca7f3f0b-7d91-482c-8e09-c5d840d0eac5 api.loganalytics.io api.loganalytics.azure.com \
        api.loganalytics.us
        Application Insights: f5c26e74-f226-4ae8-85f0-b4af0080ac9e .applicationinsights.io .applicationinsights.us
        Azure Data Lake: e9f49c6b-5ce5-44c8-925d-015017e9f7ad datalake.azure.net + .azuredatalakestore.net
        Exchange Online: 00000002-0000-0ff1-ce00-000000000000 outlook.office.com outlook.office365.com \
        outlook.office365.us partner.outlook.cn
        SharePoint Online: 00000003-0000-0ff1-ce00-000000000000 .sharepoint.com .sharepoint.us .sharepoint-mil.us \
        .sharepoint.cn
        Office 365 Management: c5393580-f805-4401-95e8-94b7a6ef2fc2 manage.office.com manage.office365.us
        Power BI: 00000009-0000-0000-c000-000000000000 analysis.windows.net analysis.usgovcloudapi.net \
        high.analysis.usgovcloudapi.net mil.analysis.usgovcloudapi.net analysis.chinacloudapi.cn + api.powerbi.com \
        api.fabric.microsoft.com api.powerbigov.us api.high.powerbigov.us api.mil.powerbigov.us api.powerbi.cn
        Microsoft Intune: 0000000a-0000-0000-c000-000000000000 c161e42e-d4df-4a3d-9b42-e7a3c31f59d4 \
        .manage.microsoft.com .manage.microsoft.us
        Microsoft Defender: fc780465-2017-40d4-a0c5-307022471b92 8ee8fdad-f234-4243-8f3b-15c294843740 \
        api.securitycenter.microsoft.com api.security.microsoft.com
        Dynamics 365 Business Central: 996def3d-b36c-4153-8607-a6fd3c01b89f api.businesscentral.dynamics.com
        Dataverse: 00000007-0000-0000-c000-000000000000 .dynamics.com .dynamics.cn .microsoftdynamics.us
        Power Apps: 475226c6-020e-4fb2-8a90-7a972cbfc1d4 .powerapps.com .powerapps.us
        Power Automate: 7df0a125-d3be-4c96-aa54-591f83ff541c .service.flow.microsoft.com .service.flow.microsoft.us
        Power Platform: 8578e004-a5c6-46e7-913e-12f58912df43 .api.powerplatform.com
        Microsoft Teams: cc15fd57-2c6c-4117-a88c-83b1d56b4bbe api.spaces.skype.com
        OneNote: 2d4d3d8e-2be3-4bef-9f87-7875a61c29de onenote.com
        Microsoft Purview: 73c2949e-da2d-457a-9607-fcc665198967 purview.azure.net + .purview.azure.com
        """
}

extension String {
    /// A scope as a lenient reader understands it: in lower case, decoded until nothing is left to decode, with the usual forms of
    /// characters.
    fileprivate var decoded: String {
        var text = self
        // Each round shortens the text.
        while let next = text.removingPercentEncoding, next != text { text = next }
        return text.precomposedStringWithCompatibilityMapping.lowercased().replacing("\u{3002}", with: ".")
            .replacing("\\", with: "/")
    }

    /// The usual form of 32 hexadecimal digits.
    fileprivate var hyphenated: String {
        var (rest, groups) = (self[...], [Substring]())
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    /// Whether this host is another one, or below it if that begins with a dot.
    fileprivate func isHost(_ other: String) -> Bool {
        self == other || (other.hasPrefix(".") && (hasSuffix(other) || self == other.dropFirst()))
    }
}

extension URL {
    /// The cloud of a host: tokens of one belong to no server of another, which other companies run.
    fileprivate var cloud: String {
        let host = lowercasedHost
        if host.hasSuffix(".us") || host.hasSuffix(".usgovcloudapi.net") { return "us" }
        if host.hasSuffix(".cn") { return "cn" }
        return host.hasSuffix(".de") ? "de" : "public"
    }
}

extension Authority {
    /// What decides which API a token is for.
    package enum AudienceRule: Sendable, Equatable {
        /// The parameter `resource` (RFC 8707).
        case resource
        /// The prefix of the scopes, as at Microsoft Entra ID, which ignores or rejects `resource`.
        case scopes
        /// Nothing: a token is good for whatever accepts the authority's tokens.
        case nothing
    }

    package var audienceRule: AudienceRule {
        let host = url.lowercasedHost
        if speaksEntra || url.microsoftService != nil || host == MicrosoftHosts.versionOneIssuer { return .scopes }
        return oauthServer != nil || ["accounts.google.com", "github.com"].contains(host) ? .nothing : .resource
    }

    /// Whether a server belongs to the authority, which has all its tokens anyway, or answers for the account.
    package func owns(_ server: URL) -> Bool {
        if server.origin == url.origin { return true }
        let host = server.lowercasedHost
        switch url.origin {
        case "https://github.com": return server.origin == "https://api.github.com"
        case "https://accounts.google.com":
            return server.origin == "https://\(host)" && host.hasSuffix(".googleapis.com")
        default: return oauthServer?.account?.address.origin == server.origin
        }
    }
}
