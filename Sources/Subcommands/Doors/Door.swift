import Glibc
import JSON
import KeyturnCrypto
import KeyturnSystem
import LoopbackHTTP
import MSAL
import OAuthCore

/// A server for other programs of the user, while a command runs or until the user ends it.
struct Door: Sendable {
    let server: LoopbackServer
    let variables: [String: String]
    var removedVariables: [String] = []
    var place = ChildProcess.Place.onTerminal
    var afterwards: @Sendable () async -> Void = {}

    /// A secret of this run, which fits in a path.
    static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    /// The environment of a program whose requests to this computer use no proxy: it would get the secret.
    static func withoutProxy(_ environment: [String: String]) -> [String: String] {
        let others = ["NO_PROXY", "no_proxy"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        // Only a lone asterisk means every host.
        let value = others == "*" ? "*" : [others, "127.0.0.1"].compactMap(\.self).joined(separator: ",")
        return ["NO_PROXY": value, "no_proxy": value]
    }

    /// Serves until the program ends, whose status is this one's; without a program, announces itself and waits for a signal.
    func serve(
        _ command: [String], announcement: String, listed entry: DoorFile?, in surroundings: Surroundings
    ) async throws -> ExitCode {
        do throws(LoopbackServerFailure) { try server.serve() } catch {
            throw Failure(.failed, name: "cannotListen", error.reason, nextStep: "Try again.")
        }
        let close: @Sendable () -> Void = { [server] in
            server.stop()
            entry?.remove()
        }
        defer { close() }
        guard command.isEmpty else {
            var environment = surroundings.environment.merging(variables) { $1 }
            for name in removedVariables { environment[name] = nil }
            let exit = try await RunningProgram.run(command, environment, at: place, closing: close)
            close()
            await afterwards()
            ProcessReplacement.end(with: exit)
        }
        try surroundings.output.write(announcement)
        return try await served(untilCancelled)
    }
}

enum DoorOptions {
    static let port = Option("port", argument: "PORT")
    static let socket = Option("socket", argument: "PATH")

    static func port(
        _ options: ParsedOptions, _ option: Option = port, insteadOfAddress: String = ""
    ) throws(UsageError) -> UInt16? {
        guard let text = options[option] else { return nil }
        guard options[socket] == nil else { throw .both("--port", "--socket") }
        if let number = UInt16(text) { return number }
        let elsewhere = text.contains(#/[.:]/#) ? insteadOfAddress : ""
        throw .badArgument(option, argument: text, wanted: "a number from 0 to 65535\(elsewhere)")
    }

    static func server(
        port: UInt16, socket: String?, _ limits: LoopbackServer.Limits, _ handler: any StreamHandler,
        otherSocket: String = "Choose another --socket, in a folder of your own."
    ) throws(Failure) -> LoopbackServer {
        do throws(LoopbackServerFailure) {
            return try LoopbackServer(port: port, socket: socket, limits: limits, stream: handler)
        } catch {
            throw Failure(
                .failed, name: "cannotListen", error.reason,
                nextStep: socket == nil
                    ? "Choose another port with --port, or leave it out for a free one." : otherSocket)
        }
    }
}

/// An error of a door, for the program that sent the request (RFC 9457).
struct DoorProblem: Error, Sendable, Equatable {
    var status: Int
    var title: String
    var detail: String
    /// Instead of ``detail`` in the log here, if the server may not read it.
    var ownDetail: String?

    init(_ status: Int, _ title: String, _ detail: String) {
        (self.status, self.title, self.detail) = (status, title, detail)
    }

    init(unreadable status: Int, _ reason: String) { self.init(status, "The request is rejected.", reason) }

    /// A failure before the origin responded.
    init(_ failure: Failure) {
        self.init(failure.exitCode == .interactionRequired ? 401 : 502, failure.headline, failure.sentences)
    }

    var response: HTTPResponse {
        HTTPResponse(
            status: status,
            .object(["title": .string(title), "status": JSONValue(status), "detail": .string(detail)]),
            "application/problem+json")
    }
}

extension StreamHandler {
    func reject(_ status: Int, _ reason: String) -> HTTPResponse { DoorProblem(unreadable: status, reason).response }
}

extension HTTPResponse {
    /// The response of a door, which nobody may cache.
    init(status: Int = 200, _ json: JSONValue, _ type: String = "application/json") {
        self.init(
            status: status, headers: ["Content-Type": type, "Cache-Control": "no-store"], body: Array(json.line.utf8))
    }
}
