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
        let steps: [GuidedWalk.Step] =
            fault.isOfRefreshes
            ? [
                .signIn(
                    Self.ann, resource: fault.resource, look: "The sign-in works: the fault is in refreshes."),
                .silently(Self.ann, resource: fault.resource, isForced: true, gives: ending, look: look),
            ]
            : fault.isOfSignOuts
                ? [
                    .signIn(Self.ann, look: "The sign-in works: the fault is in sign-outs."),
                    .remove(Self.ann, revokes: true, look: look),
                ]
                : [.signIn(Self.ann, resource: fault.resource, gives: ending, look: look)]
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
