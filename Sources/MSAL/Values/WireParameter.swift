import OAuthCore

/// A parameter, header field or JSON member by name, and who may see its value. This table is the only place that decides it.
///
/// A name that isn't listed counts as ``Secrecy/unknown``, unless it has a prefix of the client's metadata, because the user can reveal a hidden value but can't recall a
/// disclosed one. `Resources/parameters.json` has the meanings of these names, and a test compares both lists.
package struct WireParameter: Sendable {
    package enum Secrecy: Sendable {
        /// Hidden everywhere, also in a public document.
        case secret
        /// Identifies the user: shown on the user's own screen only.
        case personal
        /// Harmless in a flow of this program.
        case plain
        /// Hidden in a flow of this program, which doesn't send it, except in a public document.
        case unknown
    }

    struct Places: OptionSet {
        let rawValue: Int
        static let message = Places(rawValue: 1)
        static let header = Places(rawValue: 2)
    }

    /// Who sees a value of the right form, even if another program sent it.
    package struct Readers: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let explanation = Readers(rawValue: 1)
        package static let report = Readers(rawValue: 2)
        package static let copy = Readers(rawValue: 4)
        package static let all: Readers = [.explanation, .report, .copy]
        package static let none: Readers = []
    }

    /// In the letter case of the protocol.
    package let name: String
    package let secrecy: Secrecy
    private let places: Places
    package let form: Form
    /// Of a secret, a copy has only a placeholder of its form.
    package let readers: Readers
    /// Whether `Resources/parameters.json` has its meaning. Only such names are shown if they could be a value.
    private let isExplained: Bool
    /// Whether a server words it freely, and can quote what it shouldn't.
    let isServerText: Bool

    package var isHeader: Bool { places.contains(.header) }

    /// What a redacted copy may have: of a header field nothing in another place, for example no other `age`.
    package func copiedForm(isHeader: Bool) -> Form? {
        readers.contains(.copy) && places.contains(isHeader ? .header : .message) ? form : nil
    }

    package static let all: [WireParameter] = [
        // Secrets.
        row(
            .secret,
            """
            access_token assertion client_assertion client_secret code device_code id_token id_token_hint nonce \
            password refresh_token request session_state state subject_token token user_code
            """),
        row(.secret, "code_verifier", .codeVerifier, .copy),
        row(.secret, "authorization dpop proxy-authorization", in: .header),
        row(.secret, "cookie set-cookie", .cookie, .copy, in: .header),

        // Only in texts and tokens of others.
        row(.secret, "actor_token logout_token secret sid", isExplained: false),

        // Personal data. The meanings of claims are in `Resources/claims.json`.
        row(.personal, "client_info domain_hint domain_req login_hint login_req logout_hint profile_info username"),
        row(.personal, "x-anchormailbox", in: .header),
        row(
            .personal,
            """
            address birthdate email email_verified family_name gender given_name locale middle_name name nickname \
            oid phone_number phone_number_verified picture preferred_username profile sub tid unique_name \
            updated_at upn website zoneinfo
            """, isExplained: false),

        // Harmless parameters of OAuth, OpenID Connect and Microsoft Entra ID.
        row(.plain, "token_type_hint", .words(["access_token", "refresh_token"]), .all),
        row(.plain, "response_type", .words(["code", "token", "id_token", "none"]), .all),
        row(.plain, "response_mode", .words(["query", "fragment", "form_post"]), .all),
        row(.plain, "prompt", .words(Set(Prompt.allCases.map(\.rawValue))), .all),
        row(.plain, "access_type", .word(["offline", "online"]), .all),
        row(.plain, "code_challenge_method", .word(["S256", "plain"]), .all),
        row(
            .plain, "grant_type",
            .word([
                "authorization_code", "refresh_token", "device_code", "urn:ietf:params:oauth:grant-type:device_code",
                "client_credentials", IdentityAssertion.exchangeGrant, IdentityAssertion.grant,
            ]), .all),
        row(
            .plain, "requested_token_type subject_token_type issued_token_type",
            .word([IdentityAssertion.type, IdentityAssertion.subjectType]), .all),
        row(.plain, "token_type", .word(["Bearer", "bearer", "BEARER", "N_A", "PoP", "pop", "POP"]), .all),
        row(.plain, "instance_aware", .word(["true", "false"]), .all),
        row(.plain, "scope", .scopes(["openid", "profile", "email", "offline_access", "User.Read"]), .all),
        row(.plain, "error suberror", .error, .all, isServerText: true),
        row(.plain, "error_subcode", .error, .explanation, isServerText: true),
        row(.plain, "error_codes", .errorCodes, [.report, .copy]),
        row(.plain, "error_description message", .sentence, .copy, isServerText: true),
        row(.plain, "error_uri", .url(), [.explanation, .copy], isServerText: true),
        row(.plain, "expires_in ext_expires_in interval max_age refresh_in", .number, .all),
        row(.plain, "request_uri", .url(), .explanation),
        row(.plain, "foci", .number, [.report, .copy]),
        row(.plain, "api-version", .version, .all),
        row(.plain, "brk_client_id client_id", .clientID, .explanation),
        row(.plain, "cloud_instance_name display haschrome timestamp ui_locales", .name, .explanation),
        row(.plain, "correlation_id trace_id", .identifier, [.explanation, .copy]),
        row(.plain, "iss post_logout_redirect_uri redirect_uri resource", .url(), [.explanation, .copy]),
        row(
            .plain, "audience brk_redirect_uri cloud_instance_host_name verification_uri verification_url", .url(),
            .explanation),
        row(
            .plain,
            """
            acr_values authorization_endpoint authorization_expires_in claims cloud_graph_host_name code_challenge dc expires_on \
            id_token_expires_in msgraph_host nca not_before p pc refresh_token_expires_in refresh_token_timeout req_cnf \
            slice verification_uri_complete
            """),

        // Harmless header fields.
        row(.plain, "date", .date, [.report, .copy], in: .header),
        row(.plain, "request-id x-ms-request-id", .identifier, .copy, in: .header),
        row(.plain, "retry-after", .number, .all, in: .header),
        row(.plain, "content-length", .number, .report, in: .header),
        row(.plain, "age", .number, .copy, in: .header),
        row(.plain, "content-type", .mediaType, .copy, in: .header),
        row(.plain, "www-authenticate", .challenge, .copy, in: .header),
        row(
            .plain,
            """
            accept accept-encoding accept-language allow cache-control connection content-encoding \
            content-language etag expires host keep-alive last-modified p3p pragma referrer-policy \
            server strict-transport-security transfer-encoding user-agent vary via x-content-type-options \
            x-frame-options x-ms-clitelem x-ms-ests-server x-ms-httpver
            """, in: .header),
        row(.plain, "alt-svc", in: .header, isExplained: false),

        // Metadata of the client, in queries and headers (docs/upstream-behaviour.md §9.1).
        row(.plain, "client-request-id", .identifier, [.explanation, .copy], in: [.message, .header]),
        row(.plain, "return-client-request-id", .name, .explanation, in: [.message, .header]),
        row(.plain, "x-client-current-telemetry x-client-last-telemetry", in: [.message, .header]),
        row(
            .plain, "x-app-name x-app-ver x-client-CPU x-client-OS x-client-SKU x-client-Ver", .name, .explanation,
            in: [.message, .header], isExplained: false),

        // In recordings and texts of others.
        row(.unknown, "admin_consent claims_locales client_assertion_type", .name, .explanation),
        row(.unknown, "authorization_uri resource_metadata", .url(), .explanation, isExplained: false),
        row(.unknown, "errorCode status", .error, .copy, isExplained: false),
        row(.unknown, "errorSummary", .sentence, .copy, isExplained: false),
        row(.unknown, "location", .url(besides: ["null"]), .copy, in: .header),
        row(.unknown, "referer", .url(besides: ["null"]), .copy, in: .header, isExplained: false),
        row(.unknown, "origin", .url(besides: ["null"]), [.explanation, .copy], in: .header, isExplained: false),
        row(.unknown, "access-control-allow-origin", .url(besides: ["*"]), .copy, in: .header, isExplained: false),
        row(.unknown, "access-control-request-method", .word(["GET", "POST"]), .copy, in: .header, isExplained: false),
        row(
            .unknown, "sec-fetch-dest", .word(["document", "empty", "iframe"]), .copy, in: .header, isExplained: false),
        row(
            .unknown, "sec-fetch-mode", .word(["cors", "navigate", "no-cors", "same-origin"]), .copy, in: .header,
            isExplained: false),
        row(
            .unknown, "sec-fetch-site", .word(["cross-site", "none", "same-origin", "same-site"]), .copy, in: .header,
            isExplained: false),
        row(.unknown, "dpop-nonce nel report-to", in: .header),
        row(.unknown, "(body) authorization_details dpop_jkt microsoft_multi_refresh_token x-ms-sso-ignore-sso"),

        // Members of public documents.
        row(
            .unknown,
            """
            acr_values_supported authorization_grant_profiles_supported authorization_response_iss_parameter_supported \
            backchannel_logout_session_supported backchannel_logout_supported check_session_iframe \
            claims_parameter_supported claims_supported code_challenge_methods_supported \
            device_authorization_endpoint end_session_endpoint frontchannel_logout_session_supported \
            frontchannel_logout_supported grant_types_supported http_logout_supported \
            id_token_signing_alg_values_supported introspection_endpoint issuer jwks_uri kerberos_endpoint keys \
            metadata mtls_endpoint_aliases op_policy_uri op_tos_uri prompt_values_supported \
            pushed_authorization_request_endpoint rbac_url refresh_token_expiration_types_supported registration_endpoint request_parameter_supported \
            request_uri_parameter_supported require_pushed_authorization_requests response_modes_supported response_types_supported \
            revocation_endpoint scopes_supported service_documentation subject_types_supported \
            tenant_discovery_endpoint tenant_region_scope tenant_region_sub_scope \
            tls_client_certificate_bound_access_tokens token_endpoint token_endpoint_auth_methods_supported \
            ui_locales_supported userinfo_endpoint
            """),
    ].flatMap(\.self)

    private static func row(
        _ secrecy: Secrecy, _ names: String, _ form: Form = .free, _ readers: Readers = .none,
        isServerText: Bool = false, in places: Places = .message, isExplained: Bool = true
    ) -> [WireParameter] {
        names.split(separator: " ").map {
            WireParameter(
                name: String($0), secrecy: secrecy, places: places, form: form, readers: readers,
                isExplained: isExplained, isServerText: isServerText)
        }
    }

    /// Prefixes of more metadata of the client.
    private static let plainPrefixes = ["x-client-", "x-app-", "client-request-id", "return-client-request-id"]

    private static let byName = Dictionary(all.map { ($0.name.lowercased(), $0) }) { first, _ in first }

    package static func named(_ name: String) -> WireParameter? { byName[name.lowercased()] }

    /// Whether the protocols define this exact name. Names of header fields ignore case (RFC 9110 §5.1).
    package static func isListed(_ name: String) -> Bool {
        named(name).map { $0.isExplained && ($0.isHeader || $0.name == name) } ?? false
    }

    /// Whether a copy of a recording keeps a JSON member of this name.
    package static func isCopied(member name: String) -> Bool {
        isListed(name) || named(name).map { $0.name == name && !$0.isHeader && $0.readers.contains(.copy) } ?? false
    }

    static func isSecret(_ name: String) -> Bool { named(name)?.secrecy == .secret }

    /// Whether a value that follows the name in a text is a secret, also if it consists of ordinary words. Names of variables and
    /// settings end with the protocol's, as in `AZURE_CLIENT_SECRET`. Some names of secrets are words of errors, too, as in
    /// `code: 404`; a cookie has parts of its own.
    package static func isSecret(inText name: String) -> Bool {
        let word = bare(name)
        return secretsOfTexts.contains(word) || secretEndings.contains(where: word.hasSuffix)
            || word.count > "token".count && word.hasSuffix("token")
    }

    package static func isUser(inText name: String) -> Bool { users.contains(bare(name)) }

    /// Without letter case and separators, which each language writes otherwise.
    private static func bare(_ name: String) -> String { name.lowercased().filter { !"-_.".contains($0) } }

    private static let secretsOfTexts = Set(
        all.filter { $0.secrecy == .secret && $0.form != .cookie }.map { bare($0.name) }
    ).subtracting(["code", "nonce", "request", "sid", "state", "token"])

    private static let secretEndings = [
        "password", "passwd", "passphrase", "pwd", "secret", "apikey", "privatekey", "secretkey", "signingkey",
        "accountkey", "accesskey", "encryptionkey", "subscriptionkey", "keybase", "pass", "passin", "kennwort",
        "passwort", "contraseña", "assertion", "authorization", "codeverifier", "proxyuser",
    ]

    private static let users: Set<String> = [
        "user", "username", "displayname", "name", "nickname", "givenname", "familyname", "middlename",
        "preferredusername", "uniquename", "loginhint", "upn", "userprincipalname", "email",
    ]

    /// The sensitivity of a parameter of a flow. `isPublic`: whether the response is a public document.
    static func kind(
        of name: String, in place: MSALFlowParameter.Place, isPublic: Bool = false
    ) -> MSALFlowParameter.Kind {
        let entry = named(name)
        let isHeader = place.isHeader
        switch entry?.secrecy {
        case .secret: return .secret
        case .personal: return isPublic ? .plain : .personal
        case .plain, .unknown, nil:
            let isPlain = entry?.secrecy == .plain && entry?.places.contains(isHeader ? .header : .message) == true
            return isPublic || isPlain || plainPrefixes.contains(where: name.lowercased().hasPrefix) ? .plain : .secret
        }
    }
}

extension MSALFlowParameter.Place {
    var isHeader: Bool { self == .requestHeader || self == .responseHeader }
}
