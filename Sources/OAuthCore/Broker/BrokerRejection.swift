/// An error of the broker (docs/upstream-behaviour.md §13). Remove control characters before display, because the texts
/// are untrusted.
package struct BrokerRejection: Error, Sendable, Equatable {
    package enum Status: Int, Sendable, CaseIterable {
        case unexpected, reserved, interactionRequired, noNetwork, networkTemporarilyUnavailable
        case serverTemporarilyUnavailable, apiContractViolation, userCanceled, applicationCanceled
        case incorrectConfiguration, insufficientBuffer, authorityUntrusted, userSwitch, accountUnusable
    }

    /// The status; ``Status/unexpected`` for unknown numbers.
    package var status: Status
    /// The description from the broker or the authority.
    package var context: String?
    /// The authority's `error` and `suberror`, if it sent them.
    package var oauthError: String?
    package var oauthSuberror: String?
    package var brokerVersion: String?

    package init(
        _ status: Status, context: String? = nil, oauthError: String? = nil, oauthSuberror: String? = nil,
        brokerVersion: String? = nil
    ) {
        self.status = status
        self.context = context
        self.oauthError = oauthError
        self.oauthSuberror = oauthSuberror
        self.brokerVersion = brokerVersion
    }

    /// Creates an error from JSON. Other vendors' brokers send only a text.
    init(_ error: JSONValue, brokerVersion: String?) {
        func text(_ value: JSONValue?) -> String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }
        let diagnostics = error["diagnostics"]
        self.init(
            error["status"]?.double.flatMap { Int(exactly: $0) }.flatMap(Status.init) ?? .unexpected,
            context: text(error["context"]) ?? text(error), oauthError: text(diagnostics?["raw_error_code"]),
            oauthSuberror: text(diagnostics?["oauth2_sub_error_code"]), brokerVersion: brokerVersion)
    }

    /// The AADSTS error numbers in the text.
    package var codes: [Int] {
        (context ?? "").matches(of: #/AADSTS(\d{1,9})/#).compactMap { Int($0.1) }
    }
}
