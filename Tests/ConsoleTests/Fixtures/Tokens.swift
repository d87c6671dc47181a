import Foundation
import MSAL

@testable import Console

/// A token with these members and an invalid signature.
func token(header: String = #"{"alg":"RS256","kid":"key-1","typ":"JWT"}"#, claims: String) -> ClaimsContent {
    ClaimsContent(jwt(header: header, claims))
}

/// The same token as text in a message.
func jwt(header: String = #"{"alg":"RS256","kid":"key-1","typ":"JWT"}"#, _ claims: String) -> String {
    [header, claims, "no signature"].map(base64url).joined(separator: ".")
}

private func base64url(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}

let idToken = token(
    claims: """
        {"iss":"https://login.contoso.example/8a0f1c2e-1111-4222-8333-0123456789ab/v2.0",
        "sub":"AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ","aud":"11111111-2222-3333-4444-555555555555",
        "exp":1795174200,"iat":1795170540,"nbf":1795170540,"auth_time":1795170000,"nonce":"n-0S6_WzA2Mj",
        "name":"Alice Ångström","preferred_username":"alice@contoso.example","email":"alice@contoso.example",
        "email_verified":true,"tid":"8a0f1c2e-1111-4222-8333-0123456789ab","oid":"0000-alice","amr":["pwd","mfa"],
        "acct":0,"ver":"2.0","extension_costCentre":"4711","https://contoso.example/badge":{"floor":3,"door":"B"},
        "login_hint":"O.CiQ1"}
        """)

let accessToken = token(
    header: #"{"alg":"RS256","kid":"key-1","typ":"at+jwt"}"#,
    claims: """
        {"iss":"https://login.contoso.example/8a0f1c2e-1111-4222-8333-0123456789ab/v2.0",
        "aud":"https://graph.contoso.example","exp":1795174200,"iat":1795170540,"scp":"User.Read Mail.Read","appid":"1111"}
        """)

/// Text as hostile or as foreign as a server can send.
let wideToken = token(
    claims: """
        {"name":"山田太郎","city":"東京都千代田区霞が関一丁目","given_name":"e\\u0301\\u0301e","note":"\\u202eevil\\u001b[31mred",
        "family_name":"👩‍👩‍👧 🇯🇵","exp":99999999999999,"iat":-1}
        """)

let verdicts = [
    MSALIDTokenVerdict(
        rule: "Signature", outcome: .passed, explanation: "Signed with RS256 by the authority's key \"key-1\"."),
    MSALIDTokenVerdict(
        rule: "Issuer", outcome: .passed,
        explanation: "Issued by \"https://login.contoso.example/common/v2.0\", matching the authority."),
    MSALIDTokenVerdict(
        rule: "Audience", outcome: .passed, explanation: "For this client \"11111111-2222-3333-4444-555555555555\"."),
    MSALIDTokenVerdict(rule: "Nonce", outcome: .passed, explanation: "The token repeats the nonce of this sign-in."),
    MSALIDTokenVerdict(
        rule: "Clock", outcome: .warning, explanation: "This computer's clock is 40 s behind the authority's."),
    MSALIDTokenVerdict(
        rule: "Access token hash", outcome: .failed,
        explanation: "The access token was not issued with this ID token."),
    MSALIDTokenVerdict(
        rule: "Authentication context", outcome: .skipped, explanation: "No authentication context was requested."),
]

let acquisition = Acquisition(
    account: alice, authority: "https://login.contoso.example/common", scopes: ["User.Read", "Mail.Read"],
    expiresOn: testTime.addingTimeInterval(3540), isFromCache: true,
    correlationID: "c0ffee00-0000-4000-8000-000000000000",
    idToken: idToken, accessToken: accessToken, verdicts: verdicts)
