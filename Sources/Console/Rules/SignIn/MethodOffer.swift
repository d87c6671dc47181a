import Diagnosis

/// A row of the sign-in form: a sign-in method with its suitability, or an unavailable one with the reason.
package struct MethodOffer: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case method(SignInMethod)
        /// An unavailable method.
        case closed(Closed)
    }

    package enum Closed: Sendable, Hashable { case broker, device, urlHandler }

    package let subject: Subject
    /// The label in the list.
    package let title: String
    /// The method's suitability, or why it's unavailable.
    package let reason: String

    package var isOpen: Bool {
        if case .method = subject { true } else { false }
    }

    private init(_ method: SignInMethod, title: String? = nil, _ reason: String) {
        subject = .method(method)
        self.title = title ?? method.title
        self.reason = reason
    }

    private init(_ closed: Closed, _ title: String, _ reason: String) {
        subject = .closed(closed)
        self.title = title
        self.reason = reason
    }

    /// All methods: first the available ones, best first, then the unavailable ones.
    /// - Parameters:
    ///   - brokerRejection: why the identity broker is unavailable.
    ///   - handler: whether this program handles the redirect URI's scheme; nil until the desktop responds.
    static func all(
        profile: ProgramProfile?, proposal: MethodProposal, brokerRejection: String?, handler: MachineFindings.Handler?
    ) -> [MethodOffer] {
        let isNamed = profile?.methods.contains(.broker) == true
        let broker =
            isNamed && brokerRejection == nil
            ? MethodOffer(.broker, proposal.reason(for: .broker) ?? "")
            : MethodOffer(Closed.broker, SignInMethod.broker.title, isNamed ? brokerRejection ?? "" : unnamedBroker)
        let browsers = proposal.choices.map { choice in
            choice.method == .browser ? browser(choice.reason, handler) : MethodOffer(choice.method, choice.reason)
        }
        let open = (broker.isOpen ? [broker] : []) + browsers
        let device = proposal.obstacle(to: .device).map { MethodOffer(Closed.device, SignInMethod.device.title, $0) }
        return open + (broker.isOpen ? [] : [broker]) + [device, closedHandler(handler)].compactMap(\.self)
    }

    private static let unnamedBroker = "Off in this profile. Add \"method\": [\"broker\", \"browser\"] to it."
    private static let handlerTitle = "URL handler"

    /// The browser of this machine, with how its response returns.
    private static func browser(_ reason: String, _ handler: MachineFindings.Handler?) -> MethodOffer {
        switch handler {
        case .ours(let scheme):
            MethodOffer(
                .browser, title: handlerTitle,
                "Opens the browser, which returns to \(scheme)://.")
        case .other(let scheme, _), .unknown(let scheme):
            MethodOffer(.browser, "Opens the browser; paste the final \(scheme):// URL.")
        case .notNeeded, nil: MethodOffer(.browser, reason)
        }
    }

    /// The row for an unavailable URL handler, with the reason; nil if it's available.
    private static func closedHandler(_ handler: MachineFindings.Handler?) -> MethodOffer? {
        let reason: String
        switch handler {
        case .ours: return nil
        case nil: reason = "Still checking the desktop."
        case .notNeeded:
            reason = "Only for redirect URIs with a custom scheme."
        case .other(let scheme, nil): reason = "No app opens \(scheme)://; run 'keyturn register'."
        case .other(let scheme, let name?): reason = "\(name) opens \(scheme)://; run 'keyturn register'."
        case .unknown(let scheme): reason = "Can't tell which app opens \(scheme)://: xdg-mime is missing."
        }
        return MethodOffer(Closed.urlHandler, handlerTitle, reason)
    }
}
