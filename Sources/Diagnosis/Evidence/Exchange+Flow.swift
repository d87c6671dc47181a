import Foundation
import JSON
import MSAL
import OAuthCore

extension Exchange {
    /// With the shareable values only.
    init(_ flow: MSALFlowExchange) {
        func parameters(_ place: MSALFlowParameter.Place) -> Parameters {
            flow.parameters.filter { $0.place == place }.reduce(into: Parameters()) {
                $0.append($1.name, $1.shareableValue)
            }
        }
        func headers(_ place: MSALFlowParameter.Place) -> HTTPHeaders {
            parameters(place).pairs.reduce(into: HTTPHeaders()) { $0.append($1.name, $1.value) }
        }
        let query = parameters(.query)
        // The nearest millisecond: the formatter truncates, and binary fractions are often slightly too small.
        let time = (flow.startDate.timeIntervalSince1970 * 1000).rounded() / 1000 + 0.000_1
        self.init(
            number: flow.number, time: Date(timeIntervalSince1970: time), milliseconds: max(0, flow.duration * 1000),
            method: flow.method, url: flow.address + (query.isEmpty ? "" : "?" + query.formEncoded),
            requestHeaders: headers(.requestHeader), status: flow.status ?? 0)
        form = parameters(.requestBody)
        failure = flow.failure
        mayLackResponse = !flow.direction.isDirect
        responseHeaders = headers(.responseHeader)
        // A JSON object, as the authority sent it, but with all values as strings.
        let members = parameters(.responseBody).pairs.map { ($0.name, JSONValue.string($0.value)) }
        body = members.isEmpty ? nil : JSONValue.object(Dictionary(members) { first, _ in first }).serialized
    }
}

extension MSALFlowExchange {
    package var changeNote: String? { Self.note(of: changes) }

    static func note(of changes: [String]) -> String? {
        changes.isEmpty ? nil : "Changed by the user: \(changes.joined(separator: ", "))."
    }

    package var role: Exchange.Role {
        let names = Set(parameters.map(\.name))
        switch direction {
        case .frontChannelRequest:
            return names.isDisjoint(with: ["response_type", "request_uri"]) ? .signOut : .authorize
        // A sign-out returns the state alone (OpenID Connect RP-Initiated Logout §3).
        case .frontChannelResponse: return names.isSubset(of: ["state"]) ? .signedOut : .response
        case .resource:
            return names.contains("authorization_servers") || address.contains("/.well-known/oauth-protected-resource")
                ? .resourceMetadata : .api
        case .backChannel: return method == "POST" ? roleOfForm : roleOfDocument
        }
    }

    private var roleOfForm: Exchange.Role {
        func value(_ name: String) -> String? {
            parameters.first { $0.place == .requestBody && $0.name == name }?.value
        }
        if value("token") != nil { return .revocation }
        if value("response_type") != nil { return .push }
        switch value("grant_type") {
        case "authorization_code": return .codeGrant
        case "refresh_token": return .refreshGrant
        case "urn:ietf:params:oauth:grant-type:device_code": return .deviceGrant
        case .some: return .token
        case nil:
            return header("content-type")?.lowercased().hasPrefix("application/json") == true ? .registration : .device
        }
    }

    /// Recognises documents by well-known addresses, or else by the response's members.
    private var roleOfDocument: Exchange.Role {
        if address.hasSuffix("/.well-known/openid-configuration") { return .openIDMetadata }
        if address.contains("/.well-known/oauth-authorization-server") { return .serverMetadata }
        if address.contains("/discovery/instance") { return .instance }
        if parameters.contains(where: { $0.name == "keys" && $0.place == .responseBody }) { return .keys }
        if header("authorization") != nil { return .userInfo }
        return address.contains("keys") || address.contains("jwks") ? .keys : .other
    }

    private func header(_ name: String) -> String? {
        parameters.first { $0.place == .requestHeader && $0.name.lowercased() == name }?.value
    }
}

extension MSALFlowExchange.Direction {
    /// Whether this program sends the request itself, so that the exchange includes the response.
    package var isDirect: Bool { self == .backChannel || self == .resource }

    package var sentence: String {
        switch self {
        case .backChannel: "Sent by this program directly to the authority."
        case .resource: "Sent by this program directly to the API."
        case .frontChannelRequest: "Opened in the browser. Keyturn can't see what happens next."
        case .frontChannelResponse: "Received from the browser at the redirect URI."
        }
    }
}
