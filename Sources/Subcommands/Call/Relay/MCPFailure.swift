import Foundation
import JSON
import MSAL
import OAuthCore

/// Why a message has no response.
enum MCPFailure {
    static let noResponse = Failure(
        .failed, name: "noResponse", "The server accepted the request without a response.",
        nextStep: "Ask the server's operator.")
    static let noMessage = Failure(
        .failed, name: "noMessage", "The server's response isn't a JSON-RPC response.",
        nextStep: "Check that the URL is that of a server for agents (MCP).")
    static let tooLarge = Failure(
        .failed, name: "bodyTooLarge",
        "The server's message is larger than the limit of \(MCPMessage.mostBytes >> 20) MiB.",
        nextStep: "Request less at once.")
    static let brokenStream = Failure(
        .network, name: "brokenStream", "The connection ended before the response.",
        nextStep: "The server may have done the work: look before you repeat it.")
    static let sessionLost = Failure(
        .failed, name: "sessionLost", "The server ended the session and starts no equal one.",
        nextStep: "Connect the client again.")
    static let oldTransport = Failure(
        .failed, name: "oldTransport", "The server has only the former transport (HTTP+SSE, 2024-11-05).",
        nextStep: "Look for its URL for Streamable HTTP, which often ends in /mcp.")
}

/// A response with a status that isn't 2xx.
struct ServersError: Error {
    let body: [UInt8]
    let failure: Failure

    init(_ response: HTTPResponse, to call: APICall) {
        body = response.body
        failure =
            APIConversation.failure(response, to: call, hasBody: false)
            ?? MCPFailure.noMessage
    }
}

extension Failure {
    /// The member `data` of a JSON-RPC error.
    var dataOfError: JSONValue {
        JSONValue(members: [
            "domain": .string(domain), "code": JSONValue(code), "name": .string(name), "nextStep": .string(advice),
        ])
    }
}
