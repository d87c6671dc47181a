import Foundation
import JSON
import MSAL

// A saved report.
extension AttemptReport {
    package var json: JSONValue {
        JSONValue(members: [
            "kind": .string(kind), "correlationID": .string(correlationID.uuidString),
            "startDate": .number(startDate.timeIntervalSinceReferenceDate), "milliseconds": JSONValue(milliseconds),
            "steps": .array(steps.map(\.json)), "exchanges": .array(exchanges.map { $0.json(since: startDate) }),
            "failure": failure?.json,
        ])
    }

    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        kind = try json.required("kind", \.string)
        correlationID = try json.required("correlationID") { $0.string.flatMap(UUID.init) }
        startDate = Date(timeIntervalSinceReferenceDate: try json.required("startDate", \.number))
        milliseconds = try json.required("milliseconds", \.integer)
        steps = try json.required("steps", \.array).map(Step.init)
        let (flow, start) = (correlationID, startDate)
        exchanges = try json.required("exchanges", \.array).map { exchange throws(JSONValue.UnexpectedMember) in
            try MSALFlowExchange(exchange, of: flow, since: start)
        }
        failure = try json.optional("failure") { $0 }.map(Failure.init)
    }
}

extension AttemptReport.Step {
    fileprivate var json: JSONValue {
        ["name": .string(name), "phase": .string(phase), "milliseconds": JSONValue(milliseconds)]
    }

    fileprivate init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        name = try json.required("name", \.string)
        phase = try json.required("phase", \.string)
        milliseconds = try json.required("milliseconds", \.integer)
    }
}

extension MSALFlowExchange {
    /// The milliseconds since the start of the request, and until the response.
    func milliseconds(since start: Date) -> Int { Int((startDate.timeIntervalSince(start) * 1000).rounded()) }
    var milliseconds: Int { Int((duration * 1000).rounded()) }

    fileprivate func json(since start: Date) -> JSONValue {
        JSONValue(members: [
            "direction": .string(direction.rawValue), "method": .string(method), "address": .string(address),
            "status": status.map { JSONValue($0) }, "mediaType": mediaType.map(JSONValue.string),
            "milliseconds": JSONValue(milliseconds(since: start)), "duration": JSONValue(milliseconds),
            "parameters": .array(parameters.map { ["name": .string($0.name), "value": .string($0.value)] }),
            "hasFailed": .bool(failure != nil),
        ])
    }

    fileprivate init(
        _ json: JSONValue, of correlationID: UUID, since start: Date
    ) throws(JSONValue.UnexpectedMember) {
        func seconds(_ name: String) throws(JSONValue.UnexpectedMember) -> Double {
            Double(try json.required(name) { $0.integer.flatMap { $0.isDuration ? $0 : nil } }) / 1000
        }
        self.init(
            number: 0, direction: try json.required("direction") { $0.string.flatMap(Direction.init) },
            correlationId: correlationID, startDate: start.addingTimeInterval(try seconds("milliseconds")),
            duration: try seconds("duration"), method: try json.required("method", \.string),
            address: try json.required("address", \.string), status: try json.optional("status", \.integer),
            mediaType: try json.optional("mediaType", \.string),
            parameters: try json.required("parameters", \.array).map(MSALFlowParameter.init(json:)),
            failure: try json.required("hasFailed", \.bool) ? "" : nil)
    }
}

extension MSALFlowParameter {
    fileprivate init(json: JSONValue) throws(JSONValue.UnexpectedMember) {
        self.init(
            name: try json.required("name", \.string), place: .query, value: try json.required("value", \.string))
    }
}

extension AttemptReport.Failure {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "code": JSONValue(code), "name": name.map(JSONValue.string),
            "internalCode": internalCode.map { JSONValue($0) }, "internalName": internalName.map(JSONValue.string),
            "oauthError": oauthError.map(JSONValue.string), "subError": subError.map(JSONValue.string),
            "stsCodes": .array(stsCodes.map { JSONValue($0) }), "status": status.map { JSONValue($0) },
            "failedChecks": failedChecks.map { JSONValue($0) }, "cause": cause.map(JSONValue.string),
        ])
    }

    fileprivate init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        code = try json.required("code", \.integer)
        name = try json.optional("name", \.string)
        internalCode = try json.optional("internalCode", \.integer)
        internalName = try json.optional("internalName", \.string)
        oauthError = try json.optional("oauthError", \.string)
        subError = try json.optional("subError", \.string)
        stsCodes = try json.required("stsCodes", \.integers)
        status = try json.optional("status", \.integer)
        failedChecks = try json.optional("failedChecks", \.strings)
        cause = try json.optional("cause", \.string)
    }
}
