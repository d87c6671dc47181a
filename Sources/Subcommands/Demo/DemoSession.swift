import DemoAuthority

/// The scenario that is open, and what it runs on. There is one at a time; opening the next throws the last one away.
actor DemoSession {
    private let environment: [String: String]
    private var current: (setting: DemoSetting, folder: TemporaryFolder)?

    init(_ environment: [String: String]) { self.environment = environment }

    /// How the open scenario's applications sign in.
    var profile: Profile? { current?.setting.profile }

    func open(_ scenario: Scenario) async throws -> DemoSetting {
        let folder = try TemporaryFolder(in: environment)
        do {
            let setting = try await DemoSetting(scenario, in: folder)
            close()
            current = (setting, folder)
            return setting
        } catch {
            folder.remove()
            throw error
        }
    }

    func close() {
        current?.setting.server.stop()
        current?.folder.remove()
        current = nil
    }
}
