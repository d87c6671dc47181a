import AuthEngine
import Diagnosis

extension ParameterDictionary {
    func entry(for purpose: ExchangePurpose) -> Entry? { entry(forStep: purpose.rawValue) }

    /// Where the protocol has no such parameter, an answer's member may be a claim: user information is made of them.
    func entry(for parameter: MSALFlowParameter) -> Entry? {
        switch parameter.place {
        case .requestHeader, .responseHeader: return entry(forHeader: parameter.name)
        case .query, .requestBody: return entry(forParameter: parameter.name)
        case .responseBody:
            let claim = ClaimDictionary.bundled.entry(forClaim: parameter.name)
            return entry(forParameter: parameter.name)
                ?? claim.map { Entry(meaning: $0.meaning, source: $0.source) }
        }
    }
}
