import AuthEngine

extension SignInRequest {
    /// Fills in the parameters, except the account, whose lookup may take a while.
    ///
    /// - Throws: the library's error for an invalid tenant or claims request.
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
