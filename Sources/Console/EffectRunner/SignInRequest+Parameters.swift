import AuthEngine

extension SignInRequest {
    /// Throws what the library says of the account, the tenant or the claims.
    func fill(_ parameters: MSALTokenParameters, for application: MSALPublicClientApplication) throws {
        parameters.account = try account.map { try application.account(forIdentifier: $0) }
        parameters.authority = try tenant.map {
            try MSALAADAuthority(url: application.configuration.authority.url, rawTenant: $0)
        }
        parameters.claimsRequest = try claims.map { try MSALClaimsRequest(jsonString: $0) }
    }

    func fill(_ parameters: MSALInteractiveTokenParameters) {
        parameters.promptType = prompt.type
        parameters.loginHint = loginHint
        parameters.domainHint = domainHint
    }
}
