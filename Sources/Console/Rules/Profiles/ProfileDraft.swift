import Diagnosis
import MSAL

/// A profile as the user types it, not yet validated.
package struct ProfileDraft: Sendable, Equatable {
    package enum Field: Int, Sendable, CaseIterable {
        case authority, clientID, redirectURI, clientSecret, scopes, certificates, name

        fileprivate var row: (title: String, phrase: String, text: WritableKeyPath<ProfileDraft, String>) {
            switch self {
            case .authority: ("Authority", "authority", \.authority)
            case .clientID: ("Client ID", "client ID", \.clientID)
            case .redirectURI: ("Redirect URI", "redirect URI", \.redirectURI)
            case .clientSecret: ("Secret", "client secret", \.clientSecret)
            case .scopes: ("Scopes", "scopes", \.scopes)
            case .certificates: ("CA file", "CA file", \.certificates)
            case .name: ("Name", "name", \.name)
            }
        }

        package var title: String { row.title }
        var phrase: String { row.phrase }

        /// The required fields; the others have defaults.
        package static let questions: [Field] = [.authority, .clientID, .redirectURI]
    }

    /// The provider of a new profile; nil when editing, to keep the profile's own setting.
    package var kind: ProviderKind?
    package var authority, clientID, redirectURI: String
    /// The secret that the provider gave with the client ID; empty to keep what the profile has. Only the token cache gets it.
    package var clientSecret = ""
    package var scopes: String
    package var scopeList: [String] { scopes.split { $0 == " " || $0 == "," }.map(String.init) }
    /// The path of a CA file; empty for the system's certificates.
    package var certificates: String
    package var name: String

    package init(
        kind: ProviderKind? = nil, authority: String = "", clientID: String = "", redirectURI: String = "",
        scopes: String = "", certificates: String = "", name: String = ""
    ) {
        (self.kind, self.authority, self.clientID) = (kind, authority, clientID)
        (self.redirectURI, self.scopes) = (redirectURI, scopes)
        (self.certificates, self.name) = (certificates, name)
    }

    package subscript(field: Field) -> String {
        get { self[keyPath: field.row.text] }
        set { self[keyPath: field.row.text] = newValue }
    }

    /// The draft with trimmed fields and the authority's full address.
    package var completed: ProfileDraft {
        var draft = self
        for field in Field.allCases {
            draft[field] = String(self[field].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        draft.authority = TypedAuthority(draft.authority).address(at: kind?.authorityKind)
        return draft
    }

    /// A unique name made from the tenant's or the host's first label.
    package func suggestedName(besides taken: [String]) -> String {
        let parts = authority.split(separator: "/").map(String.init)
        let host = parts.count > 1 ? parts[1].lowercased() : ""
        let isHere = TypedAuthority(authority).isThisComputer
        let labels = host.prefix { $0 != ":" }.split(separator: ".").map(String.init)
        let tenant = parts.count > 2 && host.hasPrefix("login.") ? parts[2].prefix { $0 != "." } : ""
        let word =
            tenant.isEmpty
            ? labels.first { !["login", "accounts", "auth", "www", "sso", "id"].contains($0) } : String(tenant)
        let name = String((word ?? "").lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        if ["common", "organizations", "consumers"].contains(name) { return "microsoft".unique(besides: taken) }
        let base = isHere ? "local" : name.isEmpty ? "work" : name
        return base.unique(besides: taken)
    }
}

extension String {
    /// The name itself, or with the first number that makes it unique.
    fileprivate func unique(besides taken: [String]) -> String {
        guard taken.contains(self) else { return self }
        return (2...).lazy.map { "\(self)-\($0)" }.first { !taken.contains($0) } ?? self
    }
}

package enum SetUpPurpose: Sendable, Equatable {
    /// A new profile. After saving, the program switches to it and signs in.
    case add
    case edit(String)
}

package struct DraftJudgement: Sendable, Equatable {
    package var findings: [ProfileDraft.Field: CheckFinding]

    package init(_ findings: [ProfileDraft.Field: CheckFinding] = [:]) { self.findings = findings }

    /// The finding for a field; nil for an empty optional one.
    package subscript(field: ProfileDraft.Field) -> CheckFinding? { findings[field] }

    package var firstObstacle: ProfileDraft.Field? {
        ProfileDraft.Field.allCases.first { field in
            switch findings[field]?.verdict {
            case .failed: true
            case .skipped, nil: ProfileDraft.Field.questions.contains(field)
            case .passed, .warning: false
            }
        }
    }
}

extension Failure {
    /// The field of the profile that a failed sign-in blames; nil if another profile would fail in the same way.
    var blamedField: ProfileDraft.Field? {
        let codes = Set(explanations.map(\.code))
        return Self.blamed.first { !$0.codes.isDisjoint(with: codes) }?.field
            ?? internalCode.flatMap(MSALInternalError.init).flatMap { Self.blamedByCode[$0] }
            ?? (kind == .unavailable && oauthError == nil ? .authority : nil)
    }

    /// The errors of authorities that name a field of the profile.
    private static let blamed: [(field: ProfileDraft.Field, codes: Set<String>)] = [
        (.redirectURI, ["AADSTS50011", "AADSTS500113", "AADSTS500117"]),
        (.authority, ["AADSTS90002", "AADSTS50059", "AADSTS90072"]),
        (.clientID, ["AADSTS700016", "AADSTS70001", "AADSTS7000218", "invalid_client", "unauthorized_client"]),
        (.scopes, ["AADSTS70011", "invalid_scope"]),
    ]

    private static let blamedByCode: [MSALInternalError: ProfileDraft.Field] = [
        .internalErrorInvalidClient: .clientID, .internalErrorUnauthorizedClient: .clientID,
        .internalErrorFailedAuthorityValidation: .authority, .internalErrorUnhandledResponse: .authority,
        .internalErrorUnexpectedHttpResponse: .authority, .internalErrorInvalidRedirectURI: .redirectURI,
        .internalErrorRedirectSchemeNotRegistered: .redirectURI, .internalErrorInvalidScope: .scopes,
    ]
}
