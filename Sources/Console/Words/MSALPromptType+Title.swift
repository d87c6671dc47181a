import AuthEngine

extension MSALPromptType {
    var title: String {
        switch self {
        case .promptIfNecessary: "only what is needed"
        case .selectAccount: "choose an account"
        case .login: "enter the password again"
        case .consent: "agree again"
        case .create: "make a new account"
        }
    }

    /// The one after or before, round and round.
    func moved(by distance: Int) -> MSALPromptType {
        let all = Self.allCases
        let index = (all.firstIndex(of: self) ?? 0) + distance
        return all[((index % all.count) + all.count) % all.count]
    }
}
