import Foundation
import OAuthCore

/// A change to a request that a flow holds, to see whether the authority or this program notices (`keyturn step`). Not in MSAL for
/// iOS and macOS.
///
/// Only parameters of a form or of a page's URL can be changed, never the server.
public enum MSALRequestEdit: Sendable, Equatable {
    /// Sends the request without this parameter.
    case leaveOut(String)
    /// Replaces the value by another one of the same form, which shows nothing of it.
    case alter(String)
    /// Adds text to the end of the value.
    case append(String, to: String)
    /// Sends the parameter with this value, also if the request doesn't have it.
    case replace(String, with: String)
    /// Sends the request twice, and continues with the second response.
    case sendAgain

    /// The parameter, if the change is to one.
    public var parameter: String? {
        switch self {
        case .leaveOut(let name), .alter(let name), .append(_, to: let name), .replace(let name, with: _): name
        case .sendAgain: nil
        }
    }

    /// What was changed, without any value.
    public var summary: String {
        switch self {
        case .leaveOut(let name): "\(name) left out"
        case .alter(let name), .append(_, to: let name), .replace(let name, with: _): "\(name) changed"
        case .sendAgain: "sent twice"
        }
    }

    /// Why the change makes no request; `nil` if it does.
    func problem(in parameters: Parameters) -> String? {
        guard let name = parameter else { return nil }
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return "A parameter's name has only visible ASCII characters."
        }
        let old = parameters[name]
        let new: String
        switch self {
        case .sendAgain: return nil
        case .replace(_, with: let value): new = value
        case .append(let end, to: _): new = (old ?? "") + end
        case .leaveOut, .alter: new = ""
        }
        if case .replace = self {} else if old == nil { return "The request has no parameter \(name)." }
        guard new.utf8.count <= Self.longest else { return "The value of \(name) has more than 64 KiB." }
        guard new.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            return "The value of \(name) contains a control character."
        }
        guard Self.addresses.contains(name), !new.isEmpty else { return nil }
        let url = URL(string: new, encodingInvalidCharacters: false)
        return url?.scheme == nil
            ? "The value of \(name) is no URL: it needs a scheme, such as https:, and no spaces." : nil
    }

    private static let longest = 64 * 1024
    private static let addresses: Set<String> = ["redirect_uri", "post_logout_redirect_uri", "resource"]

    fileprivate func apply(to parameters: inout Parameters) {
        switch self {
        case .leaveOut(let name): parameters[name] = nil
        case .alter(let name): parameters[name] = parameters[name].map(Self.altered)
        case .append(let end, to: let name): parameters[name] = parameters[name].map { $0 + end }
        case .replace(let name, with: let value): parameters[name] = value
        case .sendAgain: break
        }
    }

    /// Another value of the same form. A server that repeats it shows nothing of the real one.
    private static func altered(_ value: String) -> String {
        func filled(_ digit: Character, _ letter: Character) -> String {
            String(value.map { $0.isNumber ? digit : $0.isLetter ? letter : $0 })
        }
        let other = filled("0", "a")
        return other == value ? filled("1", "b") : other
    }
}

extension HTTPRequest {
    /// The parameters that can be changed: those of a form, or of the URL of a sign-in page. `nil` for another request, also for
    /// one of a sign-out, after which the account is gone whatever was changed.
    var editable: Parameters? {
        if method == .post {
            let form = isForm ? Parameters(formEncoded: String(decoding: body, as: UTF8.self)) : [:]
            return form.isEmpty || form["token"] != nil ? nil : form
        }
        let query = isPage ? Parameters(queryOf: url.absoluteString) : [:]
        return query["response_type"] != nil || query["request_uri"] != nil ? query : nil
    }

    func applying(_ edits: [MSALRequestEdit]) -> HTTPRequest {
        guard !edits.isEmpty, var parameters = editable else { return self }
        for edit in edits { edit.apply(to: &parameters) }
        var request = self
        request.changes += edits.map(\.summary)
        if isForm {
            request.body = Array(parameters.formEncoded.utf8)
        } else {
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            parts?.percentEncodedQuery = parameters.formEncoded
            request.url = parts?.url ?? url
        }
        return request
    }
}
