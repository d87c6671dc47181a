import Foundation
import OAuthCore
import Testing

@Suite("Responses to a revocation")
struct RevocationTests {
    @Test(
        "The token is invalid, whatever the body is, and also if the server knows none such (RFC 7009 §2.2)",
        arguments: [
            (200, ""), (204, ""), (200, "<html>done</html>"), (200, "{}"), (400, #"{"error":"invalid_grant"}"#),
            (400, #"{"error":"invalid_token"}"#),
        ])
    func revoked(status: Int, body: String) throws {
        try RevocationRequest.check(HTTPResponse(status: status, body: Array(body.utf8)))
    }

    @Test(
        "An error is no revocation, also with a status of success",
        arguments: [
            (200, #"{"error":"server_error"}"#), (400, #"{"error":"invalid_client"}"#), (503, ""), (302, ""),
            (404, "{}"),
            (400, #"{"error":"unsupported_token_type"}"#),
        ])
    func failed(status: Int, body: String) {
        #expect(throws: TokenResponseFailure.self) {
            try RevocationRequest.check(HTTPResponse(status: status, body: Array(body.utf8)))
        }
    }
}
