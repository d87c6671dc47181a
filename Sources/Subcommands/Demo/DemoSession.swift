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

    var profile: Profile? { current?.setting.profile }

    /// The scenario with this name: the open one, which no list may have, or one of the lists.
    func scenario(named name: String) -> Scenario? {
        if let open = current?.setting.scenario, open.name == name { return open }
        return Scenario.opened(named: name)
    }

    /// Opens a scenario, on the port of the last one: a repeated step has the URLs of the steps before, and a port
    /// forwarded by ssh stays forwarded.
    func open(_ scenario: Scenario, isDeferred: Bool = false) async throws -> DemoSetting {
        let folder = try TemporaryFolder(in: environment)
        let port = current?.setting.server.port ?? 0
        close()
        do {
            let setting = try await setting(scenario, in: folder, port: port, isDeferred)
            current = (setting, folder)
            return setting
        } catch {
            folder.remove()
            throw error
        }
    }

    private func setting(
        _ scenario: Scenario, in folder: TemporaryFolder, port: UInt16, _ isDeferred: Bool
    ) async throws -> DemoSetting {
        do {
            return try await DemoSetting(scenario, in: folder, port: port, isDeferred: isDeferred)
        } catch {
            guard port != 0 else { throw error }
            // Another program took the port.
            return try await DemoSetting(scenario, in: folder, isDeferred: isDeferred)
        }
    }

    func close() {
        current?.setting.server.stop()
        current?.folder.remove()
        current = nil
    }
}
