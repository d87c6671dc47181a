import Foundation
import OAuthCore

/// The cache of an application that used ADAL.
extension DemoAuthority {
    /// An `accessTokens.json` with the user's refresh token and earlier consent to the client's scopes.
    package mutating func adalCache(of username: String, scopes: [String], at now: Date) throws -> [UInt8] {
        guard let user = directory.user(named: username), let resource = directory.resources.first else {
            throw AuthorityError(.invalidGrant)
        }
        let grant = Grant(
            userID: user.objectID, tenantID: user.tenantID, clientID: Directory.demoClientID,
            scopes: try directory.scopes(
                in: (["openid", "profile", "offline_access"] + scopes).joined(separator: " ")),
            authenticatedAt: now, sessionID: identifier())
        let received = ReceivedRequest(HTTPRequest(.get, URL(fileURLWithPath: "/")), at: now, identifier: identifier)
        let entry: JSONValue = [
            "_authority": .string("\(origin)/\(user.tenantID)"), "_clientId": .string(Directory.demoClientID),
            "userId": .string(user.username), "oid": .string(user.objectID), "isMRRT": true,
            "resource": .string(resource.identifier), "tokenType": "Bearer",
            "refreshToken": .string(startFamily(identifier(), grant, received)),
        ]
        return Array(JSONValue.array([entry]).serialized.utf8)
    }
}
