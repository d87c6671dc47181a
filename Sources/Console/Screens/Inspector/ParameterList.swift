import AuthEngine

/// The parameters of one exchange, in the sections they are shown in.
package struct ParameterList: Sendable {
    package struct Section: Sendable {
        package var title: String
        package var parameters: [MSALFlowParameter]
    }

    package let exchange: MSALFlowExchange
    package let sections: [Section]

    package init(_ exchange: MSALFlowExchange) {
        self.exchange = exchange
        sections = MSALFlowParameter.Place.allCases.map { place in
            Section(
                title: place.title(in: exchange.direction),
                parameters: exchange.parameters.filter { $0.place == place })
        }.filter { !$0.parameters.isEmpty }
    }

    /// All of them, in the order of the sections: what a selection counts.
    package var all: [MSALFlowParameter] { sections.flatMap(\.parameters) }
}

extension MSALFlowParameter.Place {
    /// What the section is called.
    package func title(in direction: MSALFlowExchange.Direction) -> String {
        switch self {
        case .query: direction == .frontChannelResponse ? "IN THE ANSWER" : "IN THE ADDRESS"
        case .requestHeader: "HEADER"
        case .requestBody: "FORM"
        case .responseHeader: "ANSWER'S HEADER"
        case .responseBody: "ANSWER"
        }
    }
}
