import Foundation
import MSAL
import Testing

/// Claims requests as programs build and read them.
@Suite("MSALClaimsRequest") struct MSALClaimsRequestTests {
    private func internalCode(_ work: () throws -> Void) throws -> Int? {
        let error = #expect(throws: MSALAuthenticationError.self) { try work() }
        return try #require(error).userInfo[MSALInternalErrorCodeKey] as? Int
    }

    @Test("A request built from claims encodes those claims") func built() throws {
        let request = MSALClaimsRequest()
        #expect(request.jsonString() == "{}")
        #expect(request.claimsRequests(for: .idToken)?.isEmpty == true)

        try request.requestClaim(MSALIndividualClaimRequest(name: "nickname"), for: .idToken)
        let claim = MSALIndividualClaimRequest(name: "acr")
        claim.additionalInfo = MSALIndividualClaimRequestAdditionalInfo()
        claim.additionalInfo?.essential = NSNumber(value: 10)
        claim.additionalInfo?.value = 248_289_761_001
        claim.additionalInfo?.values = ["silver", true, 1.5, NSNull(), ["nested": [1]]]
        try request.requestClaim(claim, for: .accessToken)
        claim.name = "changed later"

        #expect(
            request.jsonString()
                == #"{"access_token":{"acr":{"essential":true,"value":248289761001,"values":["silver",true,1.5,null,"#
                + #"{"nested":[1]}]}},"id_token":{"nickname":null}}"#)
    }

    @Test("Unlimited nesting is rejected") func nested() throws {
        let request = MSALClaimsRequest()
        let claim = MSALIndividualClaimRequest(name: "acr")
        claim.additionalInfo = MSALIndividualClaimRequestAdditionalInfo()
        // Releasing a deeper value would overflow the stack.
        for depth in [200, 1000] {
            claim.additionalInfo?.value = (0..<depth).reduce(1 as Any) { value, _ in [value] }
            _ = try internalCode { try request.requestClaim(claim, for: .idToken) }
        }
        #expect(request.jsonString() == "{}")
    }

    @Test("A request read from JSON returns its claims") func read() throws {
        var error: NSError?
        let request = MSALClaimsRequest(
            jsonString: #"{"id_token":{"sub":{"essential":true,"value":7,"values":[1,"b"]},"name":null}}"#,
            error: &error)
        #expect(error == nil)
        let claims = try #require(request.claimsRequests(for: .idToken))
        try #require(claims.map(\.name) == ["name", "sub"])
        #expect(claims[0].additionalInfo == nil)
        let info = try #require(claims[1].additionalInfo)
        #expect(info.essential?.boolValue == true)
        #expect(info.value as? Int == 7)
        #expect(info.values?.count == 2)
        #expect(info.values?.last as? String == "b")
        #expect(request.claimsRequests(for: .accessToken)?.isEmpty == true)
    }

    @Test("A claim can be removed, once") func removal() throws {
        let request = try MSALClaimsRequest(jsonString: #"{"id_token":{"sub":null}}"#)
        try request.removeClaim(withName: "sub", target: .idToken)
        #expect(request.jsonString() == "{}")
        #expect(try internalCode { try request.removeClaim(withName: "sub", target: .idToken) } == -42000)
    }

    @Test("Invalid text sets the error and leaves an empty request") func failed() throws {
        var error: NSError?
        let request = MSALClaimsRequest(jsonString: #"{"qwe":{}}"#, error: &error)
        #expect(error?.domain == MSALErrorDomain)
        #expect(error?.userInfo[MSALInternalErrorCodeKey] as? Int == -42000)
        #expect(request.jsonString() == nil)
        #expect(request.claimsRequests(for: .idToken)?.isEmpty == true)
        #expect(
            try internalCode { try request.requestClaim(MSALIndividualClaimRequest(name: "sub"), for: .idToken) }
                == -42000)
        #expect(try internalCode { _ = try MSALClaimsRequest(jsonString: "nonsense") } == -42000)
    }

    @Test("The error argument is optional") func ignored() {
        #expect(MSALClaimsRequest(jsonString: "[", error: nil).jsonString() == nil)
    }

    @Test("Values that JSON cannot express are rejected, and so are claims without a name") func unsayable() throws {
        let request = MSALClaimsRequest()
        #expect(
            try internalCode { try request.requestClaim(MSALIndividualClaimRequest(name: ""), for: .idToken) }
                == -42000)
        let claim = MSALIndividualClaimRequest(name: "sub")
        claim.additionalInfo = MSALIndividualClaimRequestAdditionalInfo()
        for value in [Date(timeIntervalSince1970: 0), Double.nan, NSObject()] as [Any] {
            claim.additionalInfo?.value = value
            #expect(try internalCode { try request.requestClaim(claim, for: .idToken) } == -42000)
        }
        #expect(request.jsonString() == "{}")
    }
}
