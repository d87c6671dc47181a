import MSAL
import OAuthCore

extension Explanation {
    /// What a recorded request and its response contain, as far as ``Privacy`` permits.
    package struct Message: Sendable, Equatable {
        package let number: Int
        package let request: [Row]
        package let response: [Row]

        /// A screen shows the messages of a sign-in, not of a day.
        static let most = 500

        init(_ step: Evidence.Step) {
            let exchange = step.exchange
            var received = exchange.location.map { Parameters(queryAndFragmentOf: $0) } ?? Parameters()
            for (name, value) in (exchange.json ?? [:]).sorted(by: { $0.key < $1.key }) {
                if let text = value.string { received.append(name, text) }
            }
            number = exchange.number
            request = exchange.parameters.pairs.map { Row($0) }
            response = exchange.outcome.map(\.row) + received.pairs.filter { $0.name != "error" }.map { Row($0) }
        }
    }

    /// What an arrow of the diagram carries; for the failing one also what it answers.
    package func rows(of index: Int) -> [Row] {
        guard let diagram, diagram.arrows.indices.contains(index) else { return [] }
        let arrow = diagram.arrows[index]
        guard let message = messages.first(where: { $0.number == arrow.exchange }) else { return [] }
        // An authorization response is a request to the application.
        let isRequest = arrow.message == .request || arrow.to == .application && arrow.from == .browser
        return isRequest ? message.request : message.response + (index == failingArrow ? message.request : [])
    }
}

extension Explanation {
    /// The diagram, in which the arrow of the cause is a failure whatever its status.
    package var markedDiagram: SequenceDiagram? {
        failingArrow.flatMap { diagram?.rejecting($0) } ?? diagram
    }

    /// The messages as a handout; nil without requests. What it shows is for readers of an explanation: to pass it on, make it
    /// from the explanation of a redacted copy.
    package var handout: Handout? {
        guard let markedDiagram else { return nil }
        let step = Handout.Step(markedDiagram) { index, _ in
            let cause = index == failingArrow ? firstProblem : nil
            return Handout.Detail((cause.map(evidence) ?? []) + rows(of: index), cause: cause?.fact)
        }
        return Handout(
            title: firstProblem?.fact ?? summary, story: [summary], steps: [step],
            ending: ticket.map {
                Handout.Ending("Answer", $0.text(for: $0.reader).split(separator: "\n").map(String.init))
            })
    }
}

extension SequenceDiagram {
    /// The arrow of a cause: the last of its messages that was rejected, or else its last one.
    func failing(_ cause: Cause) -> Int? {
        let own = arrows.indices.filter { index in arrows[index].exchange.map(cause.positions.contains) ?? false }
        return own.last { arrows[$0].outcome == .rejected } ?? own.last
    }
}
