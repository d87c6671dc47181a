/// Why the broker gave nothing (docs/upstream-behaviour.md §13). Its text is data from outside: whoever shows it drops
/// control characters first.
package struct BrokerRefusal: Sendable, Equatable {
    package enum Status: Int, Sendable, CaseIterable {
        case unexpected, reserved, interactionRequired, noNetwork, networkTemporarilyUnavailable
        case serverTemporarilyUnavailable, apiContractViolation, userCanceled, applicationCanceled
        case incorrectConfiguration, insufficientBuffer, authorityUntrusted, userSwitch, accountUnusable
    }

    /// A number that nobody knows counts as ``Status/unexpected``.
    package var status: Status
    /// What happened, in the broker's or the authority's words.
    package var context: String?
    /// The authority's `error` and `suberror`, when it was asked.
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

    /// Brokers of others say what went wrong as a text alone.
    init(_ error: JSONValue, brokerVersion: String?) {
        func text(_ value: JSONValue?) -> String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }
        let diagnostics = error["diagnostics"]
        self.init(
            error["status"]?.double.flatMap { Int(exactly: $0) }.flatMap(Status.init) ?? .unexpected,
            context: text(error["context"]) ?? text(error), oauthError: text(diagnostics?["raw_error_code"]),
            oauthSuberror: text(diagnostics?["oauth2_sub_error_code"]), brokerVersion: brokerVersion)
    }

    /// The numbers of the authority's own errors in the text, as in AADSTS50078.
    package var codes: [Int] {
        (context ?? "").matches(of: #/AADSTS(\d{1,9})/#).compactMap { Int($0.1) }
    }
}
