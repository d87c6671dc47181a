/// The sensitivity of parameters by name. Unknown names count as secret, because the user can reveal a hidden value but
/// can't recall a disclosed one.
enum ParameterNames {
    /// Secrets, even in public documents.
    static let secret: Set<String> = [
        "access_token", "refresh_token", "id_token", "id_token_hint", "code", "device_code", "user_code",
        "code_verifier", "state", "nonce", "client_secret", "client_assertion", "assertion", "password", "request",
        "authorization", "cookie", "set-cookie", "proxy-authorization", "dpop", "logout_token", "subject_token",
        "actor_token", "session_state", "sid", "secret",
    ]

    /// Personal data.
    static let personal: Set<String> = [
        "login_hint", "logout_hint", "domain_hint", "client_info", "login_req", "domain_req", "username",
        "x-anchormailbox", "sub", "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username",
        "profile", "picture", "website", "email", "email_verified", "gender", "birthdate", "zoneinfo", "locale",
        "phone_number", "phone_number_verified", "address", "updated_at", "oid", "tid", "upn", "unique_name",
        "profile_info",
    ]

    /// Harmless parameters of OAuth, OpenID Connect and Microsoft Entra ID.
    static let plain: Set<String> = [
        "client_id", "response_type", "response_mode", "redirect_uri", "scope", "prompt", "max_age", "acr_values",
        "ui_locales", "display", "claims", "resource", "audience", "code_challenge", "code_challenge_method",
        "grant_type", "token_type", "expires_in", "expires_on", "ext_expires_in", "refresh_in", "not_before",
        "refresh_token_expires_in", "id_token_expires_in", "foci", "error", "error_description", "error_uri",
        "error_codes", "error_subcode", "suberror", "timestamp", "trace_id", "correlation_id", "iss",
        "cloud_instance_host_name",
        "cloud_instance_name", "cloud_graph_host_name", "msgraph_host", "interval", "verification_uri",
        "verification_url", "verification_uri_complete", "message", "req_cnf", "instance_aware", "slice", "dc", "pc",
        "haschrome", "nca", "brk_client_id", "brk_redirect_uri", "post_logout_redirect_uri", "p",
        "api-version", "authorization_endpoint",
    ]

    /// Harmless header fields.
    static let plainHeader: Set<String> = [
        "accept", "accept-encoding", "accept-language", "age", "allow", "alt-svc", "cache-control", "connection",
        "content-encoding", "content-language", "content-length", "content-type", "date", "etag", "expires", "host",
        "keep-alive", "last-modified", "pragma", "referrer-policy", "request-id", "retry-after", "server",
        "strict-transport-security", "transfer-encoding", "user-agent", "vary", "via", "www-authenticate",
        "x-content-type-options", "x-frame-options", "x-ms-request-id", "x-ms-ests-server", "x-ms-httpver",
        "x-ms-clitelem", "p3p",
    ]

    /// Prefixes of client metadata in queries and headers (docs/upstream-behaviour.md §9.1).
    static let plainPrefixes = ["x-client-", "x-app-", "client-request-id", "return-client-request-id"]

    /// Returns the sensitivity of a parameter. `isPublic`: whether the response is a public document.
    static func kind(of name: String, in place: MSALFlowParameter.Place, isPublic: Bool) -> MSALFlowParameter.Kind {
        let name = name.lowercased()
        if secret.contains(name) { return .secret }
        if isPublic { return .plain }
        if personal.contains(name) { return .personal }
        if plainPrefixes.contains(where: name.hasPrefix) { return .plain }
        let known = place == .requestHeader || place == .responseHeader ? plainHeader : plain
        return known.contains(name) ? .plain : .secret
    }
}
