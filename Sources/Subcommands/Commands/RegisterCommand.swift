import Foundation
import MSAL
import TerminalUI

/// `keyturn register`: has the desktop open the profile's redirect URI with this program.
package struct RegisterCommand: Subcommand {
    static let remove = Option("remove", "takes it back")

    package static let specification = CommandSpecification(
        name: "register", summary: "has the desktop hand the profile's scheme to keyturn",
        discussion: """
            Installs a desktop entry, so that the browser can come back to a redirect URI with a scheme of its own, as
            msauth.org.keyturn.app://auth, and makes sure that the desktop uses it.
            """,
        options: [remove], example: "keyturn register --redirect-uri msauth.org.keyturn.app://auth")

    private let settings: Settings
    private let removes: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        removes = options.has(Self.remove)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let scheme = try scheme(of: try settings.profile(in: surroundings.environment))
        let handler = SchemeHandler(scheme: scheme, environment: surroundings.environment)
        if removes {
            let wasThere = try await handler.remove()
            tell("\(scheme):// is \(wasThere ? "no longer" : "not") opened with keyturn.", in: surroundings)
        } else {
            let file = try await handler.install(program: try program())
            tell("\(scheme):// is opened with keyturn now, by \(file).", in: surroundings)
        }
        return .done
    }

    private func tell(_ line: String, in surroundings: Surroundings) {
        if !settings.isQuiet { surroundings.tell(Printable.sanitize(line) + "\n") }
    }

    /// The scheme of the redirect URI, once the library has accepted it.
    private func scheme(of profile: Profile) throws -> String {
        let redirectURI = try profile.application().redirectUri.url.absoluteString
        let scheme = redirectURI.prefix { $0 != ":" }
        guard !["http", "https"].contains(scheme.lowercased()) else {
            throw CommandFailure(
                .configuration, name: "noCustomScheme", "The redirect URI \(redirectURI) has no scheme of its own.",
                nextStep: scheme.lowercased() == "http"
                    ? "It needs no handler: keyturn listens there itself while a sign-in waits."
                    : "Have the browser or the site open it with 'keyturn open-url'.")
        }
        return String(scheme)
    }

    private func program() throws(CommandFailure) -> String {
        guard let path = Bundle.main.executableURL?.path else {
            throw CommandFailure(
                .failed, name: "programPath", "The path of this program is not known.",
                nextStep: "See that /proc is mounted.")
        }
        return path
    }
}
