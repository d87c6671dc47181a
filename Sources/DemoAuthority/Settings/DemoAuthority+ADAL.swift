import Foundation
import OAuthCore

/// The cache of an application that used ADAL.
extension DemoAuthority {
    /// An `accessTokens.json` with the user's refresh token and earlier consent to the client's scopes.
    package mutating func adalCache(of username: String, scopes: [String], at now: Date) throws -> [UInt8] {
        guard let person = directory.person(named: username), let resource = directory.resources.first else {
            throw AuthorityError(.invalidGrant)
        }
        let grant = Grant(
            personID: person.objectID, tenantID: person.tenantID, clientID: Directory.demoClientID,
            scopes: try directory.scopes(
                in: (["openid", "profile", "offline_access"] + scopes).joined(separator: " ")),
            authenticatedAt: now, sessionID: identifier())
        let exchange = Exchange(HTTPRequest(.get, URL(fileURLWithPath: "/")), at: now, identifier: identifier)
        let entry: JSONValue = [
            "_authority": .string("\(origin)/\(person.tenantID)"), "_clientId": .string(Directory.demoClientID),
            "userId": .string(person.username), "oid": .string(person.objectID), "isMRRT": true,
            "resource": .string(resource.identifier), "tokenType": "Bearer",
            "refreshToken": .string(startFamily(identifier(), grant, exchange)),
        ]
        return Array(JSONValue.array([entry]).serialized.utf8)
    }
}
