import Foundation
import JSON
import MSAL
import OAuthCore

/// The last token request, safe to store and share: external text appears only if a rule here allows it.
/// A saved report goes through the same rules, because another program may have changed the file.
package struct AttemptReport: Sendable, Equatable {
    /// Steps without details, which contain usernames; of exchanges only the protocols' parameters, of a failure only codes.
    package let json: JSONValue

    package init(_ record: MSALFlowRecord) { json = Self.report(record.json) ?? .null }

    /// `nil` for a damaged report, and for one that has anything to hide.
    package init?(saved bytes: [UInt8]) {
        guard let saved = try? JSONValue(parsing: bytes), let shown = Self.report(saved),
            shown.serialized == saved.serialized, let start = shown["startDate"]?.number,
            Self.years.contains(Date(timeIntervalSinceReferenceDate: start)),
            let flow = shown["correlationID"]?.string.flatMap(UUID.init), flow.isRandom
        else { return nil }
        json = shown
    }

    /// From 1970 to 9999.
    private static let years = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799)
}

/// The rules. A number outside its range could encode anything.
extension AttemptReport {
    /// What a report has of a value; `nil` for nothing.
    private typealias Rule = @Sendable (JSONValue) -> JSONValue?

    private static let report = object(
        [
            "kind": word(MSALFlowRecord.Kind.allCases.map(\.rawValue)),
            "correlationID": text { UUID(uuidString: $0)?.uuidString },
            "startDate": { $0.number.map(JSONValue.number) },
            "milliseconds": milliseconds, "steps": list(step), "exchanges": list(exchange), "failure": failure,
        ], optional: ["failure"])

    private static let step = object([
        "name": word(MSALFlowEvent.Step.allCases.map(\.rawValue)),
        "phase": word(["started", "noted", "succeeded", "failed"]), "milliseconds": milliseconds,
    ])

    private static let exchange = object(
        [
            "direction": word(MSALFlowExchange.Direction.allCases.map(\.rawValue)),
            "method": text { ["GET", "POST"].contains($0) ? $0 : "" }, "address": text { Masking().address($0) },
            "status": number(in: 100...599), "mediaType": text { mediaTypes.contains($0) ? $0 : Masking.hidden },
            "milliseconds": milliseconds, "duration": milliseconds, "parameters": list(parameter),
            "hasFailed": { $0.bool.map(JSONValue.bool) },
        ], optional: ["status", "mediaType"])

    private static let mediaTypes: Set<String> = [
        "application/json", "text/html", "text/plain", "application/jwk-set+json", "application/x-www-form-urlencoded",
    ]

    /// An unknown name may contain anything.
    @Sendable private static func parameter(_ json: JSONValue) -> JSONValue? {
        guard let name = json["name"]?.string, let value = json["value"]?.string, WireParameter.isListed(name) else {
            return nil
        }
        return ["name": .string(name), "value": .string(Privacy.text(value, of: name, for: .support))]
    }

    /// The numbers, and the codes in the dictionary. Omits descriptions.
    @Sendable private static func failure(_ json: JSONValue) -> JSONValue? {
        @Sendable func name(of code: String) -> JSONValue? {
            json[code]?.integer.flatMap { ErrorDictionary.bundled.entry(msal: $0)?.name }.map(JSONValue.string)
        }
        let shown = object(
            [
                "code": { errorCode($0) ?? 0 }, "name": { _ in name(of: "code") }, "internalCode": errorCode,
                "internalName": { _ in name(of: "internalCode") }, "oauthError": known(.oauth),
                "subError": known(.suberror), "status": number(in: 100...599),
                "stsCodes": {
                    let codes = $0.integers?.filter(WireParameter.Form.stsCodes.contains)
                    return codes.map { .array($0.prefix(WireParameter.Form.mostSTSCodes).map { JSONValue($0) }) }
                },
                "failedChecks": { $0.strings.map { JSONValue($0.filter { Verdict.Rule(rawValue: $0) != nil }) } },
                "cause": text { cause in
                    let words = cause.split(separator: " ")
                    guard let code = words.last.flatMap({ Int($0) }) else { return nil }
                    let domain = domains.first { words.count == 2 && words[0] == $0 } ?? Masking.hidden
                    return "\(domain) \(errorCodes.contains(code) ? code : 0)"
                },
            ],
            optional: [
                "name", "internalCode", "internalName", "oauthError", "subError", "status", "failedChecks", "cause",
            ])
        return shown(json)
    }

    private static let domains: Set<String> = ["NSURLErrorDomain", "NSOSStatusErrorDomain", "MSALErrorDomain"]
    private static let errorCodes = -99_999...99_999
    private static let errorCode = number(in: errorCodes)
    private static let milliseconds = number(in: Int.reportedMilliseconds)

    private static func known(_ kind: ErrorDictionary.Kind) -> Rule {
        text { ErrorDictionary.bundled.entry(kind, $0)?.code ?? Masking.hidden }
    }

    private static func object(_ rules: [String: Rule], optional: Set<String> = []) -> Rule {
        { json in
            var members: [String: JSONValue] = [:]
            for (name, rule) in rules { members[name] = json[name].flatMap(rule) }
            return rules.keys.allSatisfy { members[$0] != nil || optional.contains($0) } ? .object(members) : nil
        }
    }

    private static func list(_ rule: @escaping Rule) -> Rule { { $0.array.map { .array($0.compactMap(rule)) } } }

    private static func text(_ shown: @escaping @Sendable (String) -> String?) -> Rule {
        { $0.string.flatMap(shown).map(JSONValue.string) }
    }

    private static func word(_ words: [String]) -> Rule { text { words.contains($0) ? $0 : nil } }

    private static func number(in range: ClosedRange<Int>) -> Rule {
        { $0.integer.flatMap { range.contains($0) ? JSONValue($0) : nil } }
    }
}

extension MSALFlowRecord {
    fileprivate var json: JSONValue {
        func milliseconds(_ date: Date) -> JSONValue { JSONValue(millisecondsOf: date.timeIntervalSince(startDate)) }
        return JSONValue(members: [
            "kind": .string(kind.rawValue), "correlationID": .string(correlationId.uuidString),
            "startDate": .number(startDate.timeIntervalSinceReferenceDate), "milliseconds": milliseconds(endDate),
            "steps": .array(
                events.map {
                    [
                        "name": .string($0.step.rawValue), "phase": .string("\($0.phase)"),
                        "milliseconds": milliseconds($0.date),
                    ]
                }),
            "exchanges": .array(
                exchanges.map { exchange in
                    JSONValue(members: [
                        "direction": .string(exchange.direction.rawValue), "method": .string(exchange.method),
                        "address": .string(exchange.address), "status": exchange.status.map { JSONValue($0) },
                        "mediaType": exchange.mediaType.map(JSONValue.string),
                        "milliseconds": milliseconds(exchange.startDate),
                        "duration": JSONValue(millisecondsOf: exchange.duration),
                        "parameters": .array(exchange.parameters.map(\.json)),
                        "hasFailed": .bool(exchange.failure != nil),
                    ])
                }), "failure": failure?.json,
        ])
    }
}

extension MSALFlowParameter {
    fileprivate var json: JSONValue {
        ["name": .string(name), "value": .string(kind == .plain ? shareableValue : Masking.hidden)]
    }
}

extension MSALAuthenticationError {
    fileprivate var json: JSONValue {
        func text(_ key: String) -> JSONValue? { (userInfo[key] as? String).map(JSONValue.string) }
        let cause = (userInfo[NSUnderlyingErrorKey] as? NSError).map { "\($0.domain) \($0.code)" }
        return JSONValue(members: [
            "code": JSONValue(code), "name": "", "internalName": "",
            "internalCode": (userInfo[MSALInternalErrorCodeKey] as? Int).map { JSONValue($0) },
            "oauthError": text(MSALOAuthErrorKey), "subError": text(MSALOAuthSubErrorKey),
            "stsCodes": .array((userInfo[MSALSTSErrorCodesKey] as? [Int] ?? []).map { JSONValue($0) }),
            "status": text(MSALHTTPResponseCodeKey)?.string.flatMap { Int($0) }.map { JSONValue($0) },
            "failedChecks": (userInfo[MSALFailedChecksKey] as? [String]).map { JSONValue($0) },
            "cause": cause.map(JSONValue.string),
        ])
    }
}

extension UUID {
    /// RFC 9562 §5.4.
    fileprivate var isRandom: Bool { uuid.6 & 0xF0 == 0x40 && uuid.8 & 0xC0 == 0x80 }
}

extension Int {
    /// At most a day.
    fileprivate static let reportedMilliseconds = 0...86_400_000
}

extension JSONValue {
    fileprivate init(millisecondsOf seconds: Double) {
        let range = Int.reportedMilliseconds
        self.init(Int(min(max(seconds * 1000, Double(range.lowerBound)), Double(range.upperBound)).rounded()))
    }
}
