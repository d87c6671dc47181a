import Diagnosis

/// A row of the sign-in form: a sign-in method with its suitability, or an unavailable one with the reason.
package struct MethodOffer: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case method(SignInMethod), closed(Closed)
    }

    package enum Closed: Sendable, Hashable { case broker, device, urlHandler }

    package let subject: Subject
    package let title: String
    package let reason: String

    package var isOpen: Bool { if case .method = subject { true } else { false } }

    private init(_ method: SignInMethod, title: String? = nil, _ reason: String) {
        (subject, self.title, self.reason) = (.method(method), title ?? method.title, reason)
    }

    private init(_ closed: Closed, _ title: String, _ reason: String) {
        (subject, self.title, self.reason) = (.closed(closed), title, reason)
    }

    /// All methods: first the available ones, best first, then the unavailable ones.
    /// - Parameter handler: nil until the desktop responds.
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

    private static func browser(_ reason: String, _ handler: MachineFindings.Handler?) -> MethodOffer {
        switch handler {
        case .ours(let scheme):
            MethodOffer(.browser, title: handlerTitle, "Opens the browser, which returns to \(scheme)://.")
        case .other(let scheme, _), .unknown(let scheme):
            MethodOffer(.browser, "Opens the browser; paste the final \(scheme):// URL.")
        case .notNeeded, nil: MethodOffer(.browser, reason)
        }
    }

    private static func closedHandler(_ handler: MachineFindings.Handler?) -> MethodOffer? {
        let reason: String? =
            switch handler {
            case .ours: nil
            case nil: "Still checking the desktop."
            case .notNeeded: "Only for redirect URIs with a custom scheme."
            case .other(let scheme, nil): "No app opens \(scheme)://; run 'keyturn register'."
            case .other(let scheme, let name?): "\(name) opens \(scheme)://; run 'keyturn register'."
            case .unknown(let scheme): "Can't tell which app opens \(scheme)://: xdg-mime is missing."
            }
        return reason.map { MethodOffer(Closed.urlHandler, handlerTitle, $0) }
    }
}
