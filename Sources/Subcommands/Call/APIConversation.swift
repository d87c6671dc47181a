import Diagnosis
import Foundation
import JSON
import KeyturnSystem
import MSAL
import OAuthCore
import TerminalUI

/// The request of a command line, before its body is read.
struct APIRequest: Sendable {
    static let method = Option(
        "request", short: "X", argument: "METHOD", choices: HTTPRequest.Method.allCases.map(\.rawValue))
    static let header = Option("header", short: "H", argument: "HEADER", isRepeatable: true)
    static let data = Option("data", short: "d", argument: "DATA|@FILE")

    private let url: URL
    private let method: HTTPRequest.Method
    private var headers: HTTPHeaders = [:]
    private let data: String?

    init(_ url: URL, method: String?, headers: [String], data: String?) throws(UsageError) {
        self.url = url
        self.data = data
        self.method = method.flatMap { HTTPRequest.Method(rawValue: $0) } ?? (data == nil ? .get : .post)
        guard data == nil || ![.get, .head].contains(self.method) else {
            throw .badArgument(Self.method, argument: self.method.rawValue, wanted: "another method with --data")
        }
        for line in headers {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].isFieldName else {
                // What isn't a name may be part of a secret.
                throw .badArgument(
                    Self.header, argument: "…", wanted: "'NAME: VALUE', without spaces before or in the name")
            }
            let name = String(line[..<colon])
            if let wanted = Self.reserved(name.lowercased()) {
                throw .badArgument(Self.header, argument: "\(name): …", wanted: wanted)
            }
            guard !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw .badArgument(Self.header, argument: "\(name): …", wanted: "printable characters")
            }
            self.headers.append(name, line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
    }

    /// What to do instead of giving this header, which says how the request is sent: where it begins and ends, to which server,
    /// and over what connection (docs/decisions/0041). A wrong one could send the token to another site of the server, or a
    /// second request.
    private static func reserved(_ name: String) -> String? {
        switch name {
        case "authorization": "curl to send a token of your own"
        case "host": "the URL to name the server"
        case "content-length", "transfer-encoding", "trailer", "te", "expect":
            "another header: Keyturn sets how the body is sent"
        case "connection", "keep-alive", "proxy-connection", "upgrade":
            "another header: Keyturn sets how the connection is used"
        default: nil
        }
    }

    /// A body is sent from memory.
    private static let mostBytes = 256 << 20

    func call() throws(Failure) -> APICall {
        guard url.isResource else {
            // A fragment may contain a token.
            let (reason, nextStep) =
                url.user() != nil || url.password() != nil || url.fragment() != nil
                ? ("The URL contains a username, password or fragment.", "Remove it.")
                : (
                    "\(Printable.sanitize(url.absoluteString)) doesn't use https.",
                    "Use https, or http for a server on this computer."
                )
            throw Failure(.usage, name: "unsafeURL", reason, nextStep: nextStep)
        }
        var call = APICall(method, url, headers: headers, body: try body())
        if data != nil, headers["Content-Type"] == nil {
            call.headers["Content-Type"] = "application/x-www-form-urlencoded"
        }
        return call
    }

    private func body() throws(Failure) -> [UInt8] {
        guard let data else { return [] }
        guard data.hasPrefix("@") else { return Array(data.utf8) }
        let path = String(data.dropFirst())
        guard !path.isEmpty else {
            throw Failure(
                .usage, name: "data", "--data @ names no file.", nextStep: "Use @FILE, or @- for standard input.")
        }
        let (isInput, most) = (path == "-", Self.mostBytes)
        let name = isInput ? "standard input" : path
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try isInput ? PlainFile.readStandardInput(atMost: most) : PlainFile.read(path, atMost: most)
        } catch {
            throw Failure(
                .failed, name: "data", "Can't read \(name): \(error.reason).", nextStep: "Use a readable file.")
        }
        guard bytes.count <= Self.mostBytes else {
            throw Failure(
                .failed, name: "data", "The data of \(name) is larger than \(Self.mostBytes >> 20) MiB.",
                nextStep: "Send less data.")
        }
        return bytes
    }
}

/// The exchanges of an API call: the request, its redirects, and repeats with the tokens that ``Rejections`` allows. The request
/// isn't part of a sign-in, so it uses the transport instead of the library's API.
struct APIConversation: Sendable {
    let first: APICall
    var tell: @Sendable (String) -> Void = { _ in }
    /// The challenges that a token answers; `nil` if there are none.
    var challenge: @Sendable (APICall, HTTPResponse) -> [String]? = { $0.challenge(in: $1) }
    /// Sends one request. The response to a challenge must be whole, because the request may be repeated.
    let send: @Sendable (_ call: APICall) async throws -> HTTPResponse

    /// - Parameter token: the token before the first request, or after a rejection. Throws ``TokenDesk/NoToken`` for none.
    func run(_ token: (Rejection?) async throws -> TokenDesk.Token) async throws -> (APICall, HTTPResponse) {
        var call = first
        var rejections = Rejections()
        do { call.take(try await token(nil)) } catch is TokenDesk.NoToken { call.authorization = nil }
        var (last, response) = try await follow(call)
        while let rejection = try rejections.next(
            after: response.status, challenge(last, response), sent: call.authorization)
        {
            let wanted = rejection.challenge.map { $0.demand.isEmpty ? "" : " (\($0.demand))" } ?? ""
            let kind = call.authorization == nil ? "a" : "another"
            tell(Printable.sanitize("HTTP \(response.status): the API requires \(kind) token\(wanted)"))
            do {
                let other = try await token(rejection)
                rejections.note(other)
                guard other.result.authorizationHeader != call.authorization else { continue }
                let name = Printable.sanitize(other.result.account.username ?? "the account")
                tell("Sending the request again with a token for \(name)")
                call.take(other)
            } catch is TokenDesk.NoToken {
                break
            }
            (last, response) = try await follow(call)
        }
        return (last, response)
    }

    private func follow(_ first: APICall) async throws -> (APICall, HTTPResponse) {
        var call = first
        while true {
            let response: HTTPResponse
            do { response = try await send(call) } catch let failure as TransportFailure {
                throw Failure(failure, host: call.url.hostAndPort)
            }
            guard let next = try call.following(response) else { return (call, response) }
            tell(
                "HTTP \(response.status): redirected to \(next.url.shown)"
                    + (next.isOutside && !call.isOutside && call.authorization != nil ? ", without the token" : ""))
            call = next
        }
    }

    static func failure(_ response: HTTPResponse, to call: APICall, hasBody: Bool) -> Failure? {
        guard !(200..<300).contains(response.status) else { return nil }
        let challenge = call.challenge(in: response).flatMap { try? MSALChallenge(headers: $0) }
        let reason = challenge?.displayedReason ?? (hasBody ? nil : response.serversReason)
        return Failure(
            .failed, name: "httpStatus",
            "The API responded with HTTP \(response.status)\(reason.map { ": \($0)\($0.hasSuffix(".") ? "" : ".")" } ?? ".")",
            nextStep: nextStep(after: response, to: call, challenge) ?? (hasBody ? "The body has the reason." : ""))
    }

    private static func nextStep(after response: HTTPResponse, to call: APICall, _ challenge: MSALChallenge?) -> String?
    {
        if let seconds = response.headers["Retry-After"].flatMap({ Int($0) }), (0...86_400).contains(seconds) {
            return "Try again in \(seconds) s."
        }
        guard [401, 403].contains(response.status) else { return nil }
        guard call.authorization != nil else { return "If the API needs a token, name an account or a scope." }
        guard response.status == 401 || challenge != nil else {
            return "The API rejects the token without a reason. Check the account and its permissions."
        }
        return "The API rejects the token. "
            + (challenge?.requiresSignIn == true
                ? "It requires a newer or stronger sign-in, which a device code can't request: use the browser."
                : "'keyturn claims' shows what a token contains.")
    }
}

extension HTTPResponse {
    /// What the server says of an error, in one line for display: a member of its JSON or its text, masked as a challenge's.
    var serversReason: String? {
        let text: String?
        if let json = try? JSONValue(parsing: body) {
            let places = [json, json["error"], json["errors"]?.array?.first].compactMap(\.self)
            let names = ["error_description", "message", "Message", "detail", "title", "errorSummary", "error"]
            text = places.lazy.flatMap { place in names.lazy.compactMap { place[$0]?.string } }.first { !$0.isEmpty }
        } else {
            let isText = headers["Content-Type"]?.lowercased().hasPrefix("text/plain") ?? false
            text = isText ? String(decoding: body.prefix(Self.mostReason), as: UTF8.self) : nil
        }
        return text.flatMap { $0.isEmpty ? nil : Privacy().shown(String($0.prefix(Self.mostReason)).withoutControls) }
    }

    static let mostReason = 4096
}

extension Failure {
    fileprivate init(_ failure: TransportFailure, host: String) {
        guard failure.kind != .cancelled else {
            self.init(.cancelled, name: "cancelled", "Cancelled.", nextStep: "")
            return
        }
        let isOther = failure.mayHaveResponse
        let exitCode = isOther ? .failed : ExitCode(failure.meaning.kind)
        let sentence = isOther ? "The request failed: \(failure.reasonSentence)" : failure.sentence(host: host)
        self.init(
            exitCode, name: exitCode == .network ? "network" : "request", Printable.sanitize(sentence),
            nextStep: isOther ? "Ask the API's operator." : failure.nextStep)
    }
}
