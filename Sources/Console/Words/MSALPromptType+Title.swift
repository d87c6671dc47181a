import AuthEngine

extension MSALPromptType {
    var title: String {
        switch self {
        case .promptIfNecessary: "only if needed"
        case .selectAccount: "choose an account"
        case .login: "sign in again"
        case .consent: "consent again"
        case .create: "create an account"
        }
    }

    /// The next or previous prompt, wrapping around.
    func moved(by distance: Int) -> MSALPromptType {
        let all = Self.allCases
        let index = (all.firstIndex(of: self) ?? 0) + distance
        return all[((index % all.count) + all.count) % all.count]
    }
}
