import Foundation
import MSAL

package struct CallCommand: Subcommand {
    static let output = Option("output", of: "call", short: "o", argument: "FILE|json", isRepeatable: true)

    package static let specification = CommandSpecification(
        name: "call",
        options: [
            APIRequest.method, APIRequest.header, APIRequest.data, output, ResponseHead.include, ResponseHead.dump,
        ] + Demand.optionsOfAPI, operand: "URL")

    private let call: APIRequest
    private let file: String?
    private let head: ResponseHead
    @Boxed var demand: Demand

    package init(_ options: ParsedOptions) throws(UsageError) {
        let url: URL
        (demand, url) = try Demand.ofAPI(options, Self.specification)
        call = try APIRequest(
            url, method: options[APIRequest.method], headers: options.all(APIRequest.header),
            data: options[APIRequest.data])
        file = options.all(Self.output).last { $0 != OutputFormat.json.rawValue }.flatMap { $0 == "-" ? nil : $0 }
        head = try ResponseHead(options, body: file)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let demand = demand.atServer(in: surroundings.environment)
        let desk = try TokenDesk(demand, carries: true, in: surroundings)
        let output = BodyOutput(path: file, standard: surroundings.output, head: head)
        try output.check()
        defer { output.close() }
        let transport = BodyOutput.transport(
            certificates: desk.profile.certificateAuthorityFile, in: surroundings.environment)
        let tell: @Sendable (String) -> Void = { line in
            if !demand.settings.isQuiet { surroundings.tell("  \(line)\n") }
        }
        let conversation = APIConversation(first: try call.call(), tell: tell) { call in
            try await output.send(call, by: transport)
        }
        return try await interruptible {
            let (last, response) = try await conversation.run { try await desk.token(for: demand, after: $0) }
            try output.finish(response)
            if output.leavesLineOpen { surroundings.tell("\n") }
            if var failure = APIConversation.failure(response, to: last, hasBody: output.hasBody) {
                if desk.isCarried, response.status == 401 {
                    failure.advice += " The token is another computer's, and a policy can bind tokens to a device."
                }
                throw failure
            }
            tell("HTTP \(response.status)")
            return .done
        }
    }
}
