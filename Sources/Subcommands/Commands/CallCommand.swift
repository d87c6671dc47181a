import Foundation
import MSAL

package struct CallCommand: Subcommand {
    static let output = Option(
        "output", short: "o", argument: "FILE|json", isRepeatable: true,
        "File to write the body to, replaced once it is complete; or json to print errors as JSON")

    package static let specification = CommandSpecification(
        name: "call", summary: "Send a request to an API with a token",
        discussion: """
            If the API challenges the request, gets the token it requires and sends the request again. Prints the body
            on standard output, and the steps on standard error. Fails if the status isn't 2xx.

            Uses the profile's authority only if you name a profile, client ID or scopes, or if the profile names the URL's origin. Otherwise the
            API names its authority, as with 'keyturn token --resource'. --resource names the URL that you signed in with, if
            it isn't the request's. Sends the token and your headers only to the origin
            of the URL. The data to send is limited to 256 MiB. Ends with exit status 6 after 5 minutes without data from
            the API; --timeout limits the whole time.
            """,
        options: [
            APIRequest.method, APIRequest.header, APIRequest.data, output, ResponseHead.include, ResponseHead.dump,
        ] + Demand.optionsOfAPI,
        operand: "URL",
        examples: [
            "keyturn call https://mail.example.com/api/unread",
            "keyturn call --scope User.Read https://graph.microsoft.com/v1.0/me",
            "keyturn call -X POST -d @note.json https://mail.example.com/api/notes",
        ])

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
        file = options.all(Self.output).last { $0 != OutputFormat.json.rawValue }
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
