import Foundation
import OAuthCore

/// What goes wrong with whole answers: a decorator around what the authority says.
extension Fault {
    func spoil(_ response: inout HTTPResponse, of route: Route, isRenewal: Bool) {
        switch route {
        case .openIDConfiguration: spoilDiscovery(&response)
        case .keys: spoilKeys(&response)
        case .userInfo: if self == .userInfoWrongSubject { change(&response) { $0["sub"] = "somebody-else" } }
        case .token: if response.status == 200 { spoilTokens(&response, isRenewal) }
        default: break
        }
    }

    private func spoilDiscovery(_ response: inout HTTPResponse) {
        switch self {
        case .discoveryWrongIssuer: change(&response) { $0["issuer"] = "http://localhost:1/{tenantid}/v2.0" }
        case .discoveryMissingEndpoint: change(&response) { $0["token_endpoint"] = nil }
        case .discoveryNoJSON: response.body = Array("<html>Sign in to the hotel's network</html>".utf8)
        default: break
        }
    }

    private func spoilKeys(_ response: inout HTTPResponse) {
        switch self {
        case .noKeys: change(&response) { $0["keys"] = [] }
        case .unusableKeysBeside:
            change(&response) { members in
                let strangers: [JSONValue] = [
                    ["kty": "OKP", "crv": "Ed448", "x": "AA"], ["kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB"],
                    ["kty": "of the future"], [:],
                ]
                members["keys"] = .array(strangers + (members["keys"]?.array ?? []))
            }
        default: break
        }
    }

    private func spoilTokens(_ response: inout HTTPResponse, _ isRenewal: Bool) {
        switch self {
        case .missingIDToken: change(&response) { $0["id_token"] = nil }
        case .renewedWithoutIDToken: if isRenewal { change(&response) { $0["id_token"] = nil } }
        case .renewedWithoutRefreshToken: if isRenewal { change(&response) { $0["refresh_token"] = nil } }
        case .missingScope: change(&response) { $0["scope"] = nil }
        case .otherTokenType: change(&response) { $0["token_type"] = "mac" }
        case .negativeLifetime: change(&response) { $0["expires_in"] = -3600 }
        case .repeatedMembers: response.body = Array(#"{"access_token":"another","#.utf8) + response.body.dropFirst()
        case .truncated: response.body.removeLast(response.body.count / 2)
        case .hugeBody: response.body += Array(repeating: UInt8(ascii: " "), count: 8 << 20)
        case .deepBody: response.body = Array(repeating: UInt8(ascii: "["), count: 100_000)
        // Longer than any client waits, though a byte is never long in coming.
        case .slowDrip: response.secondsPerByte = 0.5
        case .page: response.body = Array("<html>Sign in to the hotel's network</html>".utf8)
        case .redirected: response = .redirect(to: "https://elsewhere.example/token")
        case .controlCharactersInError:
            response = .json(
                ["error": "server_error", "error_description": "\u{1B}]0;owned\u{7}It\u{202E} failed.\r\n"], status: 400
            )
        default: break
        }
    }

    /// The parameters of the browser's answer, however they travel.
    func spoil(answer: inout Parameters) {
        switch self {
        case .wrongState: answer["state"] = "another-state"
        case .missingState: answer["state"] = nil
        case .wrongResponseIssuer: answer["iss"] = "https://elsewhere.example"
        case .missingResponseIssuer: answer["iss"] = nil
        case .repeatedCode: answer.append("code", "another-code")
        case .missingCode: answer["code"] = nil
        case .errorInAnswer:
            answer["code"] = nil
            answer["error"] = "server_error"
            answer["error_description"] = "The authority has a fault."
        default: break
        }
    }

    private func change(_ response: inout HTTPResponse, _ change: (inout [String: JSONValue]) -> Void) {
        guard var members = (try? JSONValue(parsing: response.body))?.object else { return }
        change(&members)
        response.body = Array(JSONValue.object(members).serialized.utf8)
    }
}
