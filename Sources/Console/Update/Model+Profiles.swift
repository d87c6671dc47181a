/// Profiles: listed, switched to, added, edited, removed.
extension Model {
    mutating func take(_ answer: ProfileAnswer, of id: EffectID) -> [Effect] {
        switch answer {
        case .listed(let outcome): take(listed: outcome, of: id)
        case .judged(let judgement): return take(judgement, of: id)
        case .asked(let findings): take(asked: findings, of: id)
        case .saved(let outcome): return take(saved: outcome, of: id)
        case .opened(let outcome): return take(opened: outcome, of: id)
        }
        return []
    }

    mutating func performOnProfiles(_ command: CommandID) -> [Effect] {
        if command == .profiles {
            routes.append(.profiles(ProfilesState()))
            return listProfiles()
        }
        guard case .profiles(let state) = routes.last, state.working == nil else { return [] }
        if command == .addProfile {
            routes.append(.providers(ProviderChoice(taken: state.names)))
            return []
        }
        guard let entry = state.selected else { return [] }
        switch command {
        case .editProfile:
            let others = state.names.filter { $0 != entry.name }
            routes.append(.setUp(SetUpState(.edit(entry.name), entry.draft, taken: others)))
            return [judgeForm()].compactMap(\.self)
        case .removeProfile:
            overlay = .confirmProfileRemoval(entry.name, focus: .cancel)
            return []
        case .makeDefault: return work(.makeDefault(entry.name))
        default: return work(.open(entry.name))
        }
    }

    mutating func removeProfile(_ name: String) -> [Effect] { work(.remove(name)) }

    mutating func listProfiles() -> [Effect] { work(.list) }

    private mutating func work(_ work: ProfileWork) -> [Effect] {
        guard case .profiles(var state) = routes.last else { return [] }
        let id = makeEffectID()
        state.working = id
        state.problem = nil
        replaceTop(.profiles(state))
        return [.profiles(id, work)]
    }

    private mutating func take(listed outcome: Outcome<[ProfileEntry]>, of id: EffectID) {
        guard case .profiles(var state) = routes.last, state.working == id else { return }
        state.working = nil
        switch outcome {
        case .success(let entries): state.replace(with: entries, inUse: profile?.name)
        case .failure(let report): state.problem = report
        }
        replaceTop(.profiles(state))
    }

    private mutating func take(opened outcome: Outcome<ProgramProfile>, of id: EffectID) -> [Effect] {
        guard let route = routes.last, route.opens(id) else { return [] }
        switch outcome {
        case .failure(let report):
            replaceTop(route.refused(report))
            return []
        case .success(let profile):
            notice = notice ?? Notice(.success, "Now with the profile \(profile.name).")
            let reading = begin(with: profile)
            guard case .setUp(let state) = route, state.signsInWhenOpened else { return [reading] }
            return [reading, signIn()]
        }
    }
}

extension Route {
    /// Whether it waits for the application of this effect.
    fileprivate func opens(_ id: EffectID) -> Bool {
        switch self {
        case .providers(let choice): choice.opening == id
        case .setUp(let state): state.saving == id
        case .profiles(let state): state.working == id
        default: false
        }
    }

    /// The same screen with what went wrong.
    fileprivate func refused(_ report: ErrorReport) -> Route {
        switch self {
        case .providers(var choice):
            choice.opening = nil
            choice.problem = report
            return .providers(choice)
        case .setUp(var state):
            state.saving = nil
            state.problem = report
            return .setUp(state)
        case .profiles(var state):
            state.working = nil
            state.problem = report
            return .profiles(state)
        default: return self
        }
    }
}
