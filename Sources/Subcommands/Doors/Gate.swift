import Foundation
import KeyturnCrypto
import LoopbackHTTP
import MSAL
import OAuthCore
import TerminalUI

/// A door to one origin, which adds the token to the requests that it lets through.
struct Gate: Sendable {
    let origin: URL
    let rules: [GateRule]
    /// The first segment of each path; `nil` at a Unix socket, which knows its clients.
    let secret: String?
    let desk: TokenDesk
    @Boxed var demand: Demand
    let transport: CurlTransport
    let question: GateQuestion?
    /// Receives a line about each request.
    let log: @Sendable (String, _ isRejected: Bool) -> Void
    /// Receives 1 when a request begins, and -1 when it ends.
    let progress: @Sendable (Int) -> Void
    let now: @Sendable () -> Date
    /// Completes the commands in advice with the options of this one.
    let advise: @Sendable (String) -> String

    /// Seconds without a byte after which a request ends.
    static let idleSeconds: UInt32 = 300
    static let limits = LoopbackServer.Limits(idleSeconds: idleSeconds, memoryBytes: 256 << 10)

    private func target(of request: HTTPRequest) throws(DoorProblem) -> GateTarget {
        let target = try target(request.url, request.method)
        guard !request.headers.all("Upgrade").contains(where: { $0.lowercased().contains("websocket") }) else {
            throw DoorProblem(
                501, "The gate passes no WebSockets on.",
                "What goes through one can't be checked. Use the API's requests, or its streams of events.")
        }
        return target
    }

    /// Where MOVE and COPY put their copy (RFC 4918 §10.3): for the rules a path like that of the request.
    private func destination(of request: HTTPRequest) throws(DoorProblem) -> GateTarget? {
        guard ["MOVE", "COPY"].contains(request.method.rawValue), let text = request.headers["Destination"] else {
            return nil
        }
        guard request.headers.all("Destination").count == 1,
            let url = URL(
                string: text.hasPrefix("/") ? request.url.origin + text : text, encodingInvalidCharacters: false),
            url.origin == request.url.origin
        else {
            throw DoorProblem(
                502, "The destination is at another server.",
                "The field Destination must have one URL that begins with $KEYTURN_GATE_URL.")
        }
        return try target(url, request.method)
    }

    private func target(_ url: URL, _ method: HTTPRequest.Method) throws(DoorProblem) -> GateTarget {
        let whole = url.path(percentEncoded: true) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        guard let rest = withoutSecret(whole) else {
            throw DoorProblem(
                401, "The gate doesn't know this program.",
                "The path doesn't begin with this run's secret. Use the URL in $KEYTURN_GATE_URL.")
        }
        guard let target = try? GateTarget(rest), self.url(for: target) != nil else {
            throw DoorProblem(
                400, "The path is ambiguous.",
                "It has a segment '.' or '..', a backslash, or an escape that servers read in several ways. "
                    + "Send the path that is meant.")
        }
        guard target.isAllowed(method.rawValue, by: rules) else {
            throw DoorProblem(
                403, "The gate doesn't allow this request.",
                "No --allow of the gate has this method and path. Ask the user who started it.")
        }
        return target
    }

    private func withoutSecret(_ target: String) -> Substring? {
        guard let secret else { return target[...] }
        let first = target.dropFirst().prefix { $0 != "/" && $0 != "?" }
        guard constantTimeEqual(Array(first.utf8), Array(secret.utf8)) else { return nil }
        let rest = target.dropFirst(1 + first.count)
        return rest.hasPrefix("/") ? rest : "/\(rest)"[...]
    }

    /// The URL at the origin, if it is the same path there.
    private func url(for target: GateTarget) -> URL? {
        let url = URL(string: "\(origin.origin)\(origin.basePath)\(target.text)")
        let isSame = url?.origin == origin.origin && url?.path(percentEncoded: true) == origin.basePath + target.path
        return isSame ? url : nil
    }

    private func rejected(_ request: HTTPRequest, _ problem: DoorProblem) -> HTTPResponse {
        let path = withoutSecret(request.url.path(percentEncoded: true)) ?? "(not this gate's)"
        note(request, path: String(path), "\(problem.status)", 0, since: .now, isRejected: true)
        return problem.response
    }

    private func note(
        _ request: HTTPRequest, path: String, _ outcome: String, _ bytes: Int, since start: ContinuousClock.Instant,
        isRejected: Bool = false
    ) {
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        let shown = Printable.sanitize(path.prefix(200))
        log(
            "\(now().ISO8601Format()) \(request.method.rawValue) \(shown) \(outcome) \(bytes) B "
                + "\(Int(milliseconds.rounded())) ms\n", isRejected)
    }
}

extension Gate: StreamHandler {
    func admit(_ request: HTTPRequest) -> HTTPResponse? {
        do throws(DoorProblem) {
            _ = (try target(of: request), try destination(of: request))
            return nil
        } catch {
            return rejected(request, error)
        }
    }

    func respond(to request: HTTPRequest, on stream: StreamedExchange) async -> Bool {
        progress(1)
        defer { progress(-1) }
        let start = ContinuousClock.now
        let relay = GateRelay(stream: stream, origin: origin, door: secret.map { "/\($0)" } ?? "")
        let path: String
        do {
            let (target, destination) = (try target(of: request), try destination(of: request))
            path = target.path
            let (method, targets) = (request.method.rawValue, [target, destination].compactMap(\.self))
            let kind = GateKind(method: method, places: targets.map(\.place))
            let waiting = "\(method) \(targets.map(\.text).joined(separator: " to "))"
            switch question == nil ? true : await question?.allows(kind, waiting) {
            case true?: try await send(request, target, destination, relay)
            case false?:
                relay.reply(
                    DoorProblem(
                        403, "The user doesn't allow this request.",
                        "The user said no to requests of this kind, or nothing. Ask the user, and start the gate again."
                    ))
            // The client has left.
            case nil: break
            }
        } catch {
            note(request, path: request.url.path(percentEncoded: true), "500", 0, since: start)
            return false
        }
        let sent = relay.sent
        note(request, path: path, sent.outcome, sent.bytes, since: start)
        return sent.isWhole
    }

    /// Sends the request with the token, and again as long as another one needs no sign-in.
    private func send(
        _ request: HTTPRequest, _ target: GateTarget, _ destination: GateTarget?, _ relay: GateRelay
    ) async throws {
        guard let url = url(for: target) else { return }
        var call = APICall(request.method, url, headers: GateHeaders.request(request.headers))
        call.headers["Destination"] = destination.flatMap(self.url(for:))?.absoluteString
        let body = relay.stream.body.map(RelayedBody.init)
        do {
            // The API's own challenges are not the program's to meet.
            let conversation = APIConversation(
                first: call,
                challenge: { _, response in response.status == 401 && body?.isRepeatable ?? true ? ["Bearer"] : nil }
            ) { [transport] call in try await relay.send(call.request, body, by: transport) }
            let (last, response) = try await conversation.run { rejection in
                let token = try await desk.token(for: demand, after: rejection, mayInteract: false)
                _ = try token.printed()
                return token
            }
            if response.status == 401 { relay.reply(problem(response, to: last)) }
        } catch {
            var failure = Failure(reporting: error)
            failure.advice = advise(failure.advice)
            relay.fail(failure)
        }
    }

    /// A 401 that the gate can't answer.
    private func problem(_ response: HTTPResponse, to call: APICall) -> DoorProblem {
        let failure = APIConversation.failure(response, to: call, hasBody: false)
        let reason = failure.map { "\($0.sentences) " } ?? ""
        return DoorProblem(
            401, "The API rejects the token.", advise("\(reason)Run 'keyturn sign-in' if the sign-in has expired."))
    }
}
