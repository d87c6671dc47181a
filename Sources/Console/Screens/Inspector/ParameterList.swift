import AuthEngine

/// The parameters of an exchange, in sections.
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

    /// All parameters in section order. Selections are indices into it.
    package var all: [MSALFlowParameter] { sections.flatMap(\.parameters) }
}

extension MSALFlowParameter.Place {
    /// The section's title.
    package func title(in direction: MSALFlowExchange.Direction) -> String {
        switch self {
        case .query: direction == .frontChannelResponse ? "RESPONSE" : "QUERY"
        case .requestHeader: "HEADER"
        case .requestBody: "FORM"
        case .responseHeader: "RESPONSE HEADER"
        case .responseBody: "RESPONSE"
        }
    }
}
