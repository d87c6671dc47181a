import Foundation
import MSAL
import OAuthCore

extension FuzzTarget {
    private static let redirectURIs = ["msauth.org.example.app://auth", "http://localhost:8400/back"].compactMap {
        URL(string: $0)
    }

    /// The URL of the browser's response: only a response with our state is accepted, and errors about any other are
    /// printable.
    static let callback = FuzzTarget("callback") { bytes in
        guard let url = URL(string: String(decoding: bytes, as: UTF8.self)) else { return .rejected }
        let parameters = AuthorizationResponse.parameters(of: url)
        let expected = AuthorizationResponse.Expectation(
            state: "state-1", issuer: IssuerTemplate("https://login.example/{tenantid}/v2.0"))
        let answer: AuthorizationResponse
        do throws(AuthorizationResponse.Failure) {
            answer = try AuthorizationResponse(callback: url, expecting: expected)
        } catch {
            try checkWords(of: .authority(.badCallback(error)), hiding: [parameters["code"] ?? ""])
            return .rejected
        }
        try requireEqual(parameters.pairs.map(\.name).count, Set(parameters.pairs.map(\.name)).count, "the names")
        try require(AuthorizationResponse.carries(state: "state-1", url), "a response without our state was accepted")
        if let issuer = parameters["iss"] {
            try require(issuer.hasPrefix("https://login.example/"), "a response of another issuer was accepted")
        }
        switch answer {
        case .code(let code):
            try requireEqual(code.value.reveal(), parameters["code"] ?? "", "the code")
            try require(!code.value.isEmpty, "an empty code")
        case .rejected(let rejection):
            let failure = ResponseFailure(authorization: rejection, at: url, in: parameters, hiding: [])
            try checkWords(of: .authority(.response(failure)), hiding: [])
        }
        return .accepted
    }

    /// A pasted text: an accepted URL is at the redirect URI and has a response, a code is one word.
    static let pastedResponse = FuzzTarget("pasted-response") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        var outcome = Outcome.rejected
        for (url, kind) in zip(redirectURIs, [RedirectURI.Kind.customScheme, .loopback]) {
            let redirect = RedirectURI(url: url, kind: kind, isBrokerCapable: false)
            switch PastedResponse(text, redirectURI: redirect) {
            case .address(let found):
                try require(redirect.accepts(found), "\(found) is not at \(url)")
                let parameters = AuthorizationResponse.parameters(of: found)
                try require(parameters["code"] ?? parameters["error"] != nil, "\(found) contains no response")
                try requireEqual(
                    PastedResponse(found.absoluteString, redirectURI: redirect), .address(found), "pasted again")
                outcome = .accepted
            case .bareCode(let code, let state):
                for part in [code, state].compactMap(\.self) {
                    try require(!part.reveal().contains(where: \.isWhitespace), "a code of several words")
                    try requirePlain(part.reveal(), "the code")
                }
                outcome = .accepted
            case .unusable(let reason):
                try checkWords(of: .user(.pasted(reason, redirectURI: url)), hiding: [])
            }
        }
        return outcome
    }

    /// A query, a fragment or the body of a form.
    static let form = FuzzTarget("form") { bytes in
        let parameters = Parameters(formEncoded: String(decoding: bytes, as: UTF8.self))
        let text = parameters.formEncoded
        try requireEqual(Parameters(formEncoded: text), parameters, "the form written again")
        try require(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a form that is not ASCII")
        for pair in parameters.pairs {
            try require(parameters[pair.name] != nil && parameters.count(of: pair.name) > 0, "a parameter is lost")
        }
        if let repeated = parameters.firstRepeatedName {
            try require(parameters.count(of: repeated) > 1, "a unique name was reported as repeated")
        }
        return parameters.isEmpty ? .rejected : .accepted
    }

    /// The header fields that are read: the date, and the time of a retry.
    static let httpFields = FuzzTarget("http-fields") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let response = HTTPResponse(status: 429, headers: ["Retry-After": text, "Date": text])
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let delay = response.retryAfter(at: now)
        try require(delay.map { $0 > 0 } ?? true, "a negative delay")
        guard let date = HTTPDate.parse(text) else { return delay == nil ? .rejected : .accepted }
        let written = HTTPDate.format(date)
        try requireEqual(HTTPDate.parse(written), date, "the date written again")
        return .accepted
    }

    /// A claims challenge from an API or a caller.
    static let claimsRequest = FuzzTarget("claims-request") { bytes in
        let request: ClaimsRequest
        do throws(ClaimsRequest.Malformed) {
            request = try ClaimsRequest(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            try checkWords(of: .caller(.invalidParameter(error.reason)), hiding: [])
            return .rejected
        }
        let again = try? ClaimsRequest(parsing: request.json.serialized)
        try requireEqual(again?.json, request.json, "the claims written again")
        let more = request.adding(capabilities: ["CP1"])
        try require(!more.isEmpty && more.claims(for: .accessToken).contains { $0.name == "xms_cc" }, "a capability")
        return .accepted
    }
}
