extension Exchange {
    /// The role of an exchange in a sign-in (RFC 6749, RFC 8628, OpenID Connect). The raw values are the names of the steps and
    /// roles in `Resources/parameters.json`.
    package enum Role: String, Sendable, CaseIterable {
        /// In a recording, any metadata; in an own flow, that of the authority's kind.
        case discovery, instance, openIDMetadata, serverMetadata
        case keys, authorize
        /// A pushed authorization request; in a recording, one that the authority accepted.
        case push
        case response, page, signOut, signedOut, device, registration
        /// In a recording, any token request; in an own flow, by its grant.
        case token, codeGrant, refreshGrant, deviceGrant
        case userInfo, revocation
        /// A request to an API; in a recording, one that rejected the token.
        case api
        case resourceMetadata, preflight
        /// A response without its request.
        case message
        case other

        /// What users call it, in a sentence.
        package var name: String { words.name }
        package var title: String { name.prefix(1).uppercased() + name.dropFirst() }
        /// The request in a few words.
        var label: String { words.label }

        /// What a successful response contains. A network's sign-in page may arrive instead of JSON.
        func content(_ mediaType: String?) -> String {
            mediaType == "text/html" && self != .api ? "web page" : words.content
        }

        private var words: (name: String, label: String, content: String) {
            Self.words[self] ?? (rawValue, rawValue, "")
        }

        private static let words = Dictionary(
            uniqueKeysWithValues: allCases.map { role in
                let row = ParameterDictionary.roles[role.rawValue]
                let texts = ["name", "label", "content"].map { row?[$0]?.string ?? "" }
                return (role, (name: texts[0], label: texts[1], content: texts[2]))
            })
    }

    /// The role, as far as the request alone shows it. ``Evidence`` finds responses and pages by earlier requests.
    var ownRole: Role? {
        if isPreflight || (method == "OPTIONS" && requestHeaders["Access-Control-Request-Method"] != nil) {
            return .preflight
        }
        if method.isEmpty { return .message }
        if method == "POST", parameters["grant_type"] != nil || mayLackResponse && path.hasSuffix("/token") {
            return .token
        }
        if isPush, json?["request_uri"] != nil { return .push }
        if parameters["response_type"] != nil, parameters["client_id"] != nil { return .authorize }
        let path = path
        if path.contains("/.well-known/") { return .discovery }
        if path.hasSuffix("/devicecode") || (path.contains("device") && parameters["client_id"] != nil) {
            return .device
        }
        if path.hasSuffix("/keys") || path.hasSuffix("/certs") || path.hasSuffix("jwks.json") || path.hasSuffix("/jwks")
        {
            return .keys
        }
        if path.hasSuffix("/userinfo") { return .userInfo }
        if path.hasSuffix("/logout") || path.hasSuffix("/end_session") { return .signOut }
        return nil
    }
}
