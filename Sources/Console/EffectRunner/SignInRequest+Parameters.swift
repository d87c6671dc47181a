import AuthEngine

extension SignInRequest {
    /// Throws what the library says of the tenant or the claims. The account is left out: finding it may take a while.
    func fill(_ parameters: MSALTokenParameters, for application: MSALPublicClientApplication) throws {
        parameters.authority = try tenant.map {
            try MSALAADAuthority(url: application.configuration.authority.url, rawTenant: $0)
        }
        parameters.claimsRequest = try claims.map { try MSALClaimsRequest(jsonString: $0) }
    }

    func fill(_ parameters: MSALInteractiveTokenParameters) {
        parameters.promptType = prompt
        parameters.loginHint = loginHint
        parameters.domainHint = domainHint
    }
}
