import Console
import Foundation
import MSAL

let networkReport = Failure(
    headline: "Can't reach the authority.",
    reason: "login.contoso.example refused the connection.",
    advice: "Check the network, the proxy and the authority's address.", kind: .unavailable, domain: "MSALErrorDomain",
    code: -50000,
    codeNames: ["internal", "internalErrorUnexpected"], internalCode: -42008,
    correlationID: "c0ffee00-0000-4000-8000-000000000000", date: testTime)

let busyReport = Failure(
    headline: "login.contoso.example is busy (HTTP 503).", reason: "login.contoso.example is busy (HTTP 503).",
    advice: "Try again in 90 s.", kind: .unavailable, domain: "MSALErrorDomain", code: -50000,
    codeNames: ["internal", "internalErrorUnhandledResponse"], internalCode: -42007,
    correlationID: "c0ffee00-0000-4000-8000-000000000000", date: testTime, retryAfter: 90)

let rejectedReport = Failure(
    headline: "The authority rejected this application.",
    reason: "The application with this client ID is not registered in the tenant.",
    advice: "Compare the client ID with the registration.", kind: .misconfigured, domain: "MSALErrorDomain",
    code: -50000,
    codeNames: ["internal", "internalErrorInvalidClient"], internalCode: -42003, oauthError: "invalid_client",
    oauthSubError: "unknown_application", serviceCodes: [700016, 7000218],
    correlationID: "c0ffee00-0000-4000-8000-000000000000", date: testTime)

let existingReport = Failure(
    headline: "./plain-sign-in.svg already exists.", reason: "./plain-sign-in.svg already exists.",
    advice: "Use another file.", codeNames: ["exists"], date: testTime)

let interactionReport = Failure(
    headline: "Sign-in required.", reason: "The refresh token was revoked.", kind: .signInRequired,
    domain: MSALErrorDomain, code: MSALError.interactionRequired.rawValue, oauthError: "invalid_grant", date: testTime)

let absentBrokerReport = Failure(
    headline: "The operation failed.", reason: "There is no identity broker in this session.", domain: MSALErrorDomain,
    code: MSALError.internal.rawValue, internalCode: MSALInternalError.internalBrokerNotAvailable.rawValue,
    date: testTime)

let cancelledReport = Failure(
    headline: "Sign-in cancelled.", reason: "The user cancelled it.", domain: MSALErrorDomain,
    code: MSALError.userCanceled.rawValue, date: testTime)

let unusableReport = Failure(
    headline: "The redirect URI can't be used.", reason: "Its scheme is not registered.", kind: .misconfigured,
    domain: MSALErrorDomain, code: -50000, internalCode: -42011, date: testTime)

let wrongPasteReport = Failure(
    headline: "The operation failed.", reason: "This is the URL of the sign-in page itself.",
    advice: "Open it in a browser and sign in. Paste the final URL; it begins with http://localhost:40711.",
    domain: MSALErrorDomain, code: MSALError.internal.rawValue, codeNames: ["internal"], date: testTime)

/// Text as long and as foreign as an authority can send.
let longReport = Failure(
    headline: "The authority rejected the sign-in.",
    reason: "AADSTS70008: " + String(repeating: "認証コードの有効期限が切れています。", count: 12) + "\u{1B}[31m\u{202E}👩‍👩‍👧",
    domain: MSALErrorDomain, code: -50000, codeNames: ["internal", "internalErrorInvalidGrant"], internalCode: -42004,
    oauthError: "invalid_grant", oauthSubError: "bad_token", serviceCodes: [70008, 50076, 65001, 53003],
    correlationID: "c0ffee00-0000-4000-8000-000000000000", date: testTime)
