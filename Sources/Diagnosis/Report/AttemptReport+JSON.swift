import Foundation
import JSON

// A saved report.
extension AttemptReport {
    package var json: JSONValue {
        JSONValue(members: [
            "kind": .string(kind), "correlationID": .string(correlationID.uuidString),
            "startDate": .number(startDate.timeIntervalSinceReferenceDate), "milliseconds": JSONValue(milliseconds),
            "steps": .array(steps.map(\.json)), "exchanges": .array(exchanges.map(\.json)), "failure": failure?.json,
        ])
    }

    init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        kind = try json.required("kind", \.string)
        correlationID = try json.required("correlationID") { $0.string.flatMap(UUID.init) }
        startDate = Date(timeIntervalSinceReferenceDate: try json.required("startDate", \.number))
        milliseconds = try json.required("milliseconds", \.integer)
        steps = try json.required("steps", \.array).map(Step.init)
        exchanges = try json.required("exchanges", \.array).map(Exchange.init)
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

extension AttemptReport.Exchange {
    fileprivate var json: JSONValue {
        JSONValue(members: [
            "direction": .string(direction), "method": .string(method), "address": .string(address),
            "status": status.map { JSONValue($0) }, "mediaType": mediaType.map(JSONValue.string),
            "milliseconds": JSONValue(milliseconds), "duration": JSONValue(duration),
            "parameters": .array(parameters.map { ["name": .string($0.name), "value": .string($0.value)] }),
            "hasFailed": .bool(hasFailed),
        ])
    }

    fileprivate init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        direction = try json.required("direction", \.string)
        method = try json.required("method", \.string)
        address = try json.required("address", \.string)
        status = try json.optional("status", \.integer)
        mediaType = try json.optional("mediaType", \.string)
        milliseconds = try json.required("milliseconds", \.integer)
        duration = try json.required("duration", \.integer)
        parameters = try json.required("parameters", \.array).map(AttemptReport.Parameter.init(json:))
        hasFailed = try json.required("hasFailed", \.bool)
    }
}

extension AttemptReport.Parameter {
    fileprivate init(json: JSONValue) throws(JSONValue.UnexpectedMember) {
        name = try json.required("name", \.string)
        value = try json.required("value", \.string)
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
