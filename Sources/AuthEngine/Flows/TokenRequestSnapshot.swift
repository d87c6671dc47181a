import Foundation
import OAuthCore

/// What a caller's parameters said when the call was made: they are classes and may change afterwards.
package struct TokenRequestSnapshot: Sendable {
    package struct Account: Sendable, Equatable {
        package var homeAccountID: String
        package var objectID: String?
        package var tenantID: String?
        package var username: String?
    }

    package var scopes: Scopes
    package var account: Account?
    package var authority: Authority
    package var extraQueryParameters: Parameters
    package var correlationID: UUID

    init(_ parameters: MSALTokenParameters, settings: ApplicationSettings, correlationID: UUID) throws {
        scopes = Scopes(parameters.scopes)
        let reserved = scopes.reservedNames
        guard reserved.isEmpty else { throw AuthenticationFailure.reservedScopes(reserved) }
        account = parameters.account.flatMap(Account.init)
        authority = parameters.authority?.value ?? settings.authority
        extraQueryParameters = Parameters(parameters.extraQueryParameters ?? [:])
        self.correlationID = correlationID
    }
}

extension TokenRequestSnapshot.Account {
    init?(_ account: MSALAccount) {
        guard let homeAccountID = account.identifier else { return nil }
        self.init(
            homeAccountID: homeAccountID, objectID: account.homeAccountId?.objectId,
            tenantID: account.homeAccountId?.tenantId, username: account.username)
    }
}

extension Parameters {
    fileprivate init(_ dictionary: [String: String]) {
        self.init()
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }
}

/// What only an interactive call says.
package struct InteractiveRequest: Sendable {
    package var token: TokenRequestSnapshot
    package var extraScopesToConsent: Scopes
    package var prompt: MSALPromptType
    package var loginHint: String?
    package var domainHint: String?
    package var openURL: (@Sendable (URL) async throws -> Void)?
}

/// What only a silent call says.
package struct SilentRequest: Sendable {
    package var token: TokenRequestSnapshot
    package var forceRefresh: Bool
}
