import KeyturnSystem
import MSAL

/// The section of git's configuration that names Keyturn as the helper of a host (gitcredentials(7)).
struct GitConfiguration: Sendable {
    /// The scheme, host and port.
    let address: String
    /// The options of the helper's command line.
    let arguments: [String]

    private var section: String { "credential.\(address)" }

    func install(in environment: [String: String]) async throws {
        let program = try InstalledFile.program()
        let command = ([program, "git-credential"] + arguments).map(ShellWords.quoted).joined(separator: " ")
        _ = try await git(["config", "--global", "--unset-all", "\(section).helper"], environment)
        // An empty one clears those of other sections, which would return old tokens first.
        for value in ["", "!\(command)"] {
            guard try await git(["config", "--global", "--add", "\(section).helper", value], environment) == 0 else {
                throw Self.failure("git doesn't accept the setting \(section).helper.")
            }
        }
    }

    func remove(in environment: [String: String]) async throws -> Bool {
        try await git(["config", "--global", "--unset-all", "\(section).helper"], environment) == 0
    }

    private func git(_ arguments: [String], _ environment: [String: String]) async throws -> Int32 {
        guard let result = await ExternalProgram.run(["git"] + arguments, environment: environment) else {
            throw Self.failure("git isn't installed, or isn't on the PATH.")
        }
        return result.status
    }

    private static func failure(_ reason: String) -> Failure {
        Failure(.failed, name: "git", reason, nextStep: "Check that git config --global works.")
    }
}
