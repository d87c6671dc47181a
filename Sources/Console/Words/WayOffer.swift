import Diagnosis

/// A row of the sign-in's form: a way to sign in, or one that cannot be had now, with the reason for either.
package struct WayOffer: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case way(SignInWay)
        /// Not to be had now.
        case closed(Closed)
    }

    package enum Closed: Sendable, Hashable { case broker, device, urlHandler }

    package let subject: Subject
    /// How the list calls it.
    package let title: String
    /// How well it fits, or why it cannot be had.
    package let reason: String

    package var isOpen: Bool {
        if case .way = subject { true } else { false }
    }

    private init(_ way: SignInWay, title: String? = nil, _ reason: String) {
        subject = .way(way)
        self.title = title ?? way.title
        self.reason = reason
    }

    private init(_ closed: Closed, _ title: String, _ reason: String) {
        subject = .closed(closed)
        self.title = title
        self.reason = reason
    }

    /// Those that can be had, the one that fits best first, then those that cannot.
    /// - Parameters:
    ///   - brokerRefusal: why the identity broker could not be had.
    ///   - handler: whether the desktop brings answers back here; nil: it was not asked yet.
    static func all(
        profile: ProgramProfile?, proposal: WayProposal, brokerRefusal: String?, handler: MachineFindings.Handler?
    ) -> [WayOffer] {
        let isNamed = profile?.ways.contains(.broker) == true
        let broker =
            isNamed && brokerRefusal == nil
            ? WayOffer(.broker, proposal.reason(for: .broker) ?? "")
            : WayOffer(Closed.broker, SignInWay.broker.title, isNamed ? brokerRefusal ?? "" : unnamedBroker)
        let browsers = proposal.choices.map { choice in
            choice.way == .browser ? browser(choice.reason, handler) : WayOffer(choice.way, choice.reason)
        }
        let open = (broker.isOpen ? [broker] : []) + browsers
        let device = proposal.obstacle(to: .device).map { WayOffer(Closed.device, SignInWay.device.title, $0) }
        return open + (broker.isOpen ? [] : [broker]) + [device, closedHandler(handler)].compactMap(\.self)
    }

    private static let unnamedBroker = "The profile does not name it (\"way\": [\"broker\", \"browser\"])."
    private static let handlerTitle = "URL handler"

    /// The browser of this machine, with what brings its answer back.
    private static func browser(_ reason: String, _ handler: MachineFindings.Handler?) -> WayOffer {
        switch handler {
        case .ours(let scheme):
            WayOffer(
                .browser, title: handlerTitle,
                "The page opens here; the desktop brings \(scheme):// back to this program.")
        case .other(let scheme, _), .unknown(let scheme):
            WayOffer(.browser, "The page opens here; paste the \(scheme):// address that it ends on.")
        case .notNeeded, nil: WayOffer(.browser, reason)
        }
    }

    /// Why the desktop brings no answers back; nil: it does.
    private static func closedHandler(_ handler: MachineFindings.Handler?) -> WayOffer? {
        let reason: String
        switch handler {
        case .ours: return nil
        case nil: reason = "The desktop is being asked."
        case .notNeeded:
            reason = "The redirect URI has no scheme of its own: the browser's answer comes to this program itself."
        case .other(let scheme, nil): reason = "Nothing opens \(scheme):// here: 'keyturn register' changes that."
        case .other(let scheme, let name?): reason = "\(name) opens \(scheme):// here: 'keyturn register' changes that."
        case .unknown(let scheme): reason = "Whether the desktop opens \(scheme):// is not known: there is no xdg-mime."
        }
        return WayOffer(Closed.urlHandler, handlerTitle, reason)
    }
}
