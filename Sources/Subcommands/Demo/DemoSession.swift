import DemoAuthority

/// The open scenario with its authority and files. Opening another one closes it.
actor DemoSession {
    private let environment: [String: String]
    private var current: (setting: DemoSetting, folder: TemporaryFolder)?

    private init(_ environment: [String: String]) { self.environment = environment }

    /// Removes the demo's files and authority afterwards.
    static func use(
        in surroundings: Surroundings, _ body: (DemoSession, Surroundings) async throws -> Void
    ) async throws {
        let session = DemoSession(surroundings.environment)
        do {
            try await body(session, surroundings)
        } catch {
            await session.close()
            throw error
        }
        await session.close()
    }

    /// The profile of the open scenario.
    var profile: Profile? { current?.setting.profile }

    func open(_ scenario: Scenario, isDeferred: Bool = false) async throws -> DemoSetting {
        let folder = try TemporaryFolder(in: environment)
        do {
            let setting = try await DemoSetting(scenario, in: folder, isDeferred: isDeferred)
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
