import OAuthCore

/// `accessTokens.json`: a JSON array with one flat object per authority, resource, client and user.
extension ADALCache {
    mutating func readList(_ bytes: [UInt8]) throws(Malformed) {
        guard let rows = (try? JSONValue(parsing: bytes))?.array else { throw .unreadable }
        for row in rows { read(row) }
    }

    private mutating func read(_ row: JSONValue) {
        func text(_ name: String) -> String? { row[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        if text("servicePrincipalId") != nil {
            return skipped.append(Skipped(username: nil, reason: .application))
        }
        add(
            authority: text("_authority"), resource: text("resource"), clientID: text("_clientId"),
            username: text("userId"), objectID: text("oid"), clientInfo: nil, refreshToken: text("refreshToken"))
    }
}
