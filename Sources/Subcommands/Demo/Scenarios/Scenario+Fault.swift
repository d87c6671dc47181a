import Console
import DemoAuthority

extension Scenario {
    /// One sign-in at an authority with a fault, and a refresh if the fault is of refreshes.
    init(_ fault: Fault) {
        let ending: GuidedWalk.Step.Expectation =
            switch fault.demand {
            case .accept: .token(isFromCache: false)
            case .reject: .anyFailure
            case .ignore: .failure(.userCanceled)
            }
        let demand = fault.demand.sentence
        let story = "\(fault.behaviour) \(demand)"
        let look = [demand, fault.reference].compactMap(\.self).joined(separator: " ")
        let usual = GuidedWalk.Step(
            .signIn(.browser),
            look: "The sign-in works: the fault is in \(fault.isOfSignOuts ? "sign-outs" : "refreshes")."
        ) { $0.resource = fault.resource }
        let steps =
            fault.isOfRefreshes
            ? [
                usual,
                GuidedWalk.Step(.acquireSilently, look: look, expected: ending) {
                    ($0.resource, $0.isForced) = (fault.resource, true)
                },
            ]
            : fault.isOfSignOuts
                ? [usual, GuidedWalk.Step(.remove, look: look) { $0.revokes = true }]
                : [GuidedWalk.Step(.signIn(.browser), look: look, expected: ending) { $0.resource = fault.resource }]
        self.init(
            name: "fault-\(fault.name)", title: fault.title,
            story: story, steps: steps, teaches: story)
        settings = fault.settings
        client.isManaged = fault.isOfAssertions
    }
}

extension Fault.Demand {
    fileprivate var sentence: String {
        switch self {
        case .reject: "The client must return an error."
        case .accept: "The client must continue."
        case .ignore: "The client must ignore the response, and wait for another until the user cancels."
        }
    }
}
