import Console
import Diagnosis
import Foundation
import JSON
import KeyturnSystem
import MSAL

/// `keyturn step`: a real sign-in that holds each request.
package struct StepCommand: Subcommand {
    static let like = Option("like", argument: "FILE")

    package static let specification = CommandSpecification(
        name: "step", options: [SignInCommand.method, Demand.scope, like, OutputFormat.option],
        optionalOperand: "PROFILE|URL")

    @Boxed private var demand: Demand
    private let options: ParsedOptions
    private var methods: [SignInMethod] { options.all(SignInCommand.method).compactMap(SignInMethod.init) }
    private var printsLines: Bool { OutputFormat(options) == .json }

    package init(_ options: ParsedOptions) throws(UsageError) {
        var settings = try Settings(options)
        let operand = options.operands.first
        let resource = operand.flatMap { $0.contains("://") ? $0 : nil }
        if let operand, resource == nil {
            guard settings.profileName == nil else { throw .both("PROFILE", "--profile") }
            settings.profileName = operand
        }
        let url = resource.flatMap(URL.init)
        if let resource, url?.host() == nil || !["http", "https"].contains(url?.scheme) {
            throw .unknownOperand(resource, wanted: "a profile or an https URL", command: Self.specification.name)
        }
        demand = Demand(settings: settings, resource: url, scopes: options.all(Demand.scope))
        self.options = options
        if printsLines, options.has(Self.like) { throw .both("--like", "-o json") }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        if printsLines { return try await printLines(in: surroundings) }
        let settings = demand.settings
        let like = try options[Self.like].map(Self.recorded)
        guard surroundings.hasTerminal || settings.isPlain else { throw UsageError.needsTerminal }
        var start = settings.programStart(in: surroundings.environment)
        if demand.resource != nil {
            let profile = try demand.profile(in: surroundings)
            start = .ready(nil, profile.shown(in: surroundings.environment))
        }
        if case .ready(let application, var shown) = start {
            if !demand.scopes.isEmpty { shown.scopes = demand.scopes }
            if !methods.isEmpty { shown.methods = methods }
            start = .ready(application, shown)
        }
        try await DemoSession.use(in: surroundings) { [start] demo, surroundings in
            try await TerminalProgram.run(
                start, settings, demo, { $0.steps = SteppedSignIn(resource: demand.resource, like: like) },
                in: surroundings)
        }
        return .done
    }

    private static func recorded(_ name: String) throws(Failure) -> RecordedSignIn {
        let input = try EvidenceInput(name)
        try input.requireFile("--\(like.long)")
        do { return try RecordedSignIn(input.bytes) } catch { throw Failure(error, of: input.name) }
    }

    /// Signs in, and prints what is sent and received.
    private func printLines(in surroundings: Surroundings) async throws -> ExitCode {
        let (output, written) = (surroundings.output, Locked(Result<Void, any Error>.success(())))
        @Sendable func write(_ value: JSONValue) throws {
            // A reader that is gone ends the sign-in before its next request.
            try written.withLock { written in
                try written.get()
                written = Result { try output.write(value.line) }
                try written.get()
            }
        }
        let hold = RequestHolds.Hold { held in
            try write(.object(["held": held.exchange.json]))
            return []
        } exchanges: {
            try? write(.object(["exchange": $0.json]))
        }
        return try await RequestHolds.$hold.withValue(hold) {
            try await interruptible {
                let profile = try demand.profile(in: surroundings)
                let methods = methods.isEmpty ? profile.methods : methods
                let demand = try demand.completed(by: profile)
                let access = DemandedApplication(demand: demand, profile: demand.naming(in: profile))
                let result = try await access.signIn(by: methods, in: surroundings) { application in
                    let signIn = PlainSignIn(methods: methods, demand: try demand.completed(by: application))
                    return try await signIn.result(of: application, in: surroundings).cached()
                }
                try write(.object(["signedIn": result.accountJSON]))
            }
            return .done
        }
    }
}

extension MSALFlowExchange {
    /// The shareable values of an exchange, or of a request that isn't sent yet (docs/output.schema.json).
    fileprivate var json: JSONValue {
        func values(_ isOfResponse: Bool) -> JSONValue {
            .object(
                Dictionary(
                    parameters.filter { $0.place.isOfResponse == isOfResponse }
                        .map { ($0.name, JSONValue.string($0.shareableValue)) }
                ) { first, _ in first })
        }
        return JSONValue(members: [
            "number": .number(Double(number)), "role": .string(role.rawValue), "method": .string(method),
            "address": .string(address), "request": values(false), "status": status.map { .number(Double($0)) },
            "response": values(true), "failure": failure.map(JSONValue.string),
        ])
    }
}
