/// A parser of outside bytes, with the properties that hold for any input.
package struct FuzzTarget: Sendable {
    package enum Outcome: Sendable, Equatable {
        case accepted, rejected
    }

    /// Also the name of the folder with its corpus.
    package let name: String
    /// Parses the bytes. Throws a ``PropertyViolation`` if a property does not hold.
    package let check: @Sendable ([UInt8]) throws -> Outcome

    init(_ name: String, _ check: @escaping @Sendable ([UInt8]) throws -> Outcome) {
        self.name = name
        self.check = check
    }

    package static let all: [FuzzTarget] = [
        .json, .jwt, .keySet, .discovery, .tokenResponse, .deviceCode, .callback, .pastedResponse, .form, .httpFields,
        .claimsRequest, .unifiedCache, .accountDigest, .adalCache, .propertyList, .broker, .terminalInput, .screenText,
        .configuration, .authorityRequest, .page, .evidence, .resource, .agentMessage, .eventStream,
    ]

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
