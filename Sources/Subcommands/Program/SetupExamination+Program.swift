import Console

extension SetupExamination {
    /// Of what the screen shows: a profile of the configuration, else whatever is open.
    init(
        of shown: ProgramProfile?, _ settings: Settings, in profiles: FileProfileBook,
        otherwise open: () async -> Profile?
    ) async {
        var given = profiles.profile(of: shown)
        if given == nil { given = await open() }
        self.init(settings: settings, given: given)
    }
}
