import Diagnosis
import MSAL
import TerminalUI

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
    private var row: (word: String, isOfResponse: Bool) {
        switch self {
        case .query: ("query", false)
        case .requestHeader: ("header", false)
        case .requestBody: ("form", false)
        case .responseHeader: ("response header", true)
        case .responseBody: ("response", true)
        }
    }

    var word: String { row.word }
    /// Whether the HTTP response carries it.
    package var isOfResponse: Bool { row.isOfResponse }

    package func title(in direction: MSALFlowExchange.Direction) -> String {
        self == .query && direction == .frontChannelResponse ? "RESPONSE" : word.uppercased()
    }
}

extension SequenceDiagram.Arrow {
    /// The parameters of its exchange that the arrow carries. Headers are in the inspector.
    func parameters(of exchange: MSALFlowExchange) -> [MSALFlowParameter] {
        ParameterList(exchange).all.filter { parameter in
            switch parameter.place {
            case .query: !exchange.direction.isDirect || message == .request
            case .requestBody: message == .request
            // The step's result shows the body of an API, once.
            case .responseBody: message == .response && exchange.role != .api
            case .responseHeader: message == .response && parameter.name.lowercased() == "www-authenticate"
            case .requestHeader: false
            }
        }
    }
}

extension ParameterDictionary {
    func entry(for role: Exchange.Role) -> Entry? { entry(forStep: role.rawValue) }

    /// The entry for a parameter. A response member that isn't a protocol parameter may be a claim, as in UserInfo.
    func entry(for parameter: MSALFlowParameter) -> Entry? {
        switch parameter.place {
        case .requestHeader, .responseHeader: return entry(forHeader: parameter.name)
        case .query, .requestBody: return entry(forParameter: parameter.name)
        case .responseBody:
            let claim = ClaimDictionary.bundled.entry(forClaim: parameter.name)
            return entry(forParameter: parameter.name) ?? claim.map { Entry(meaning: $0.meaning, source: $0.source) }
        }
    }
}

extension MSALFlowParameter {
    var shown: String { Printable.sanitize([value, note].compactMap { $0 }.joined(separator: ", ")) }
}
