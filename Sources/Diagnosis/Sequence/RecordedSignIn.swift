import Foundation
import MSAL
import OAuthCore

/// The request with which a recorded sign-in begins, to send it again as oneself, and the recording to compare the result with.
package struct RecordedSignIn: Sendable, Equatable {
    package enum Flow: Sendable, Equatable { case code, device }

    package enum Rejection: Error, Sendable, Equatable {
        case noSignIn
        case cutOff
        /// Only later requests: a program's log lacks those of the browser, for example.
        case noBeginning(Exchange.Role)
        /// A flow that isn't a user's sign-in with a code, by its grant or response type.
        case otherFlow(String)
    }

    package struct Parameter: Sendable, Equatable { package let name, value: String }

    package let flow: Flow
    /// For example "entry 2".
    package let place: String
    /// The URL without parameters; nil if the recording hides a part of it.
    package let endpoint: String?
    /// The parameters that are the same in every sign-in, as they were sent.
    package let parameters: [Parameter]
    /// Parameters that need own values: those that the recording hides, secrets, and those of its user.
    package let own: [String]

    private let evidence: Evidence

    package init(_ content: [UInt8]) throws(Rejection) {
        evidence = Explainer.evidence(content)
        let (request, flow) = try Self.beginning(evidence, Explainer.decoded(content))
        self.flow = flow
        place = "\(evidence.unit) \(request.number)"
        endpoint = Placeholders.hides(in: request.endpoint) ? nil : request.endpoint
        let pairs = request.parameters.pairs.filter { !Self.fresh.contains($0.name) }
        func needsOwn(_ pair: Parameters.Pair) -> Bool {
            let secrecy = WireParameter.named(pair.name)?.secrecy
            return secrecy == .secret || secrecy == .personal || Placeholders.hides(in: pair.value)
        }
        parameters = pairs.filter { !needsOwn($0) }.map { Parameter(name: $0.name, value: $0.value) }
        own = pairs.filter(needsOwn).map { Privacy.name($0.name, hasValue: true) }
    }

    package static func == (left: RecordedSignIn, right: RecordedSignIn) -> Bool {
        (left.place, left.parameters, left.own) == (right.place, right.parameters, right.own)
    }

    /// The last request that a user completes: a silent one before it only looks for a session.
    private static func beginning(_ evidence: Evidence, _ bytes: [UInt8]) throws(Rejection) -> (Exchange, Flow) {
        let requests = evidence.steps(.authorize).map(\.exchange)
        let request = requests.last { $0.parameters["prompt"] != "none" } ?? requests.last
        let devices = evidence.steps(.device).map(\.exchange).filter { $0.parameters["client_id"] != nil }
        if let request, devices.last.map({ $0.number < request.number }) ?? true {
            let type = request.parameters["response_type"] ?? ""
            guard type.split(separator: " ").contains("code") else {
                throw .otherFlow(Privacy.text(type, of: "response_type", for: .explanation))
            }
            return (request, .code)
        }
        if let device = devices.last { return (device, .device) }
        let grants = evidence.steps(.token).compactMap { $0.parameters["grant_type"] }
        if let grant = grants.first(where: { !laterGrants.contains($0) }) {
            throw .otherFlow(Privacy.text(grant, of: "grant_type", for: .explanation))
        }
        if let step = evidence.steps.first(where: { $0.role != .message && $0.role != .discovery }) {
            throw .noBeginning(step.role)
        }
        throw evidence.isCut || HARFile.isStart(bytes) ? .cutOff : .noSignIn
    }

    private static let laterGrants: Set = [
        "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
    ]

    /// What each sign-in makes anew.
    private static let fresh: Set = [
        "state", "nonce", "code_challenge", "code_challenge_method", "request_uri", "client-request-id",
    ]

    /// The parameters that are always the user's own, and those that the library adds to its requests.
    static let own: Set = [
        "client_id", "redirect_uri", "response_mode", "URL", "nonce", "haschrome", "return-client-request-id",
        "x-app-name", "x-app-ver", "x-client-CPU", "x-client-OS", "x-client-SKU", "x-client-Ver",
    ]

    /// - Parameter own: the names of other parameters with own values, and `URL` if the sign-in went to an own authority.
    package func firstDifference(from exchanges: [MSALFlowExchange], own names: Set<String> = own) -> CheckFinding {
        let other = Evidence(exchanges.map(Exchange.init))
        // Another authority is another issuer.
        let ignored = names.union(self.own).union(names.contains("URL") ? ["iss"] : [])
        guard let comparison = Comparison(evidence, other, ignoring: ignored) else {
            return CheckFinding(Self.subject, .skipped, "The recording and your sign-in have no step in common.")
        }
        let (first, second) = ("the recording", "your sign-in")
        let values = comparison.isDifferent ? comparison.steps.last?.differences ?? [] : []
        let told = values.map { "\($0.name): \($0.first) in \(first), \($0.second) in \(second)." }
        return CheckFinding(
            Self.subject, comparison.isDifferent ? .warning : .passed,
            ([comparison.verdict(first, second)] + told).joined(separator: " "))
    }

    private static let subject = "First difference"
}
