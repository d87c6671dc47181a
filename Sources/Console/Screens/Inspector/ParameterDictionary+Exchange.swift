import AuthEngine
import Diagnosis

extension ParameterDictionary {
    func entry(for purpose: ExchangePurpose) -> Entry? { entry(forStep: purpose.rawValue) }

    /// The entry for a parameter. A response member that isn't a protocol parameter may be a claim, as in UserInfo.
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
