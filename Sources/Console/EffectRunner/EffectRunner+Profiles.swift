import MSAL

/// Effects on the configuration.
extension EffectRunner {
    func perform(_ work: ProfileWork, on profiles: any ProfileBook) async -> ProfileResult {
        switch work {
        case .list: .listed(outcome { () throws(Failure) in try profiles.entries() })
        case .judge(let draft): .judged(profiles.judge(draft).onScreen)
        case .test(let draft): .tested(await profiles.test(draft).map(\.onScreen))
        case .save(let draft, let replaced):
            .saved(
                outcome { () throws(Failure) in
                    try profiles.save(draft, replacing: replaced)
                    return ProfileResult.Saved()
                })
        case .remove(let name): changed(profiles) { () throws(Failure) in try profiles.remove(name) }
        case .makeDefault(let name): changed(profiles) { () throws(Failure) in try profiles.makeDefault(name) }
        case .openFirst: use(outcome { () throws(Failure) in try profiles.openFirst() })
        case .open(let name): use(outcome { () throws(Failure) in try profiles.open(name) })
        }
    }

    private func changed(_ profiles: any ProfileBook, _ change: () throws(Failure) -> Void) -> ProfileResult {
        .listed(
            outcome { () throws(Failure) in
                try change()
                return try profiles.entries()
            })
    }

    private func use(_ opened: Outcome<OpenedProfile>) -> ProfileResult {
        .opened(
            opened.map { profile in
                replace(application: profile.application)
                return profile.shown
            })
    }

    private func outcome<Value>(_ body: () throws(Failure) -> Value) -> Outcome<Value> {
        do { return .success(try body()) } catch { return .failure(error) }
    }
}
