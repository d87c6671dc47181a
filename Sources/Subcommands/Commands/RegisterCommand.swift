import Foundation
import MSAL
import TerminalUI

package struct RegisterCommand: Subcommand {
    static let remove = Option("remove")

    package static let specification = CommandSpecification(name: "register", options: [remove])

    @Boxed private var settings: Settings
    private let removes: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        removes = options.has(Self.remove)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let scheme = try scheme(in: surroundings.environment)
        let handler = SchemeHandler(scheme: scheme, environment: surroundings.environment)
        if removes {
            let wasThere = try await handler.remove()
            tell(
                wasThere ? "Removed the handler of \(scheme)://." : "\(scheme):// has no handler to remove.",
                in: surroundings)
        } else {
            let file = try await handler.install(program: try InstalledFile.program())
            tell("Registered keyturn for \(scheme):// in \(file).", in: surroundings)
        }
        return .done
    }

    private func tell(_ line: String, in surroundings: Surroundings) {
        if !settings.isQuiet { surroundings.tell(Printable.sanitize(line) + "\n") }
    }

    private func application(in environment: [String: String]) throws -> MSALPublicClientApplication {
        guard !settings.hasProfile(in: environment) else { return try settings.profile(in: environment).application() }
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "keyturn", redirectUri: settings.redirectURI, authority: nil)
        configuration.appRegistration = try .ofThisProgram(InstalledFile.infoPlist ?? EmbeddedResource.infoPlist, nil)
        return try MSALPublicClientApplication(configuration: configuration)
    }

    /// The scheme of the redirect URI, after validation by the library.
    private func scheme(in environment: [String: String]) throws -> String {
        let redirectURI = try application(in: environment).redirectUri.url.absoluteString
        let scheme = redirectURI.prefix { $0 != ":" }
        guard !["http", "https"].contains(scheme.lowercased()) else {
            throw Failure(
                .configuration, name: "noCustomScheme", "\(redirectURI) has no custom scheme.",
                nextStep: scheme.lowercased() == "http"
                    ? "It needs no handler: keyturn listens there during a sign-in."
                    : "Pass the URL to 'keyturn open-url'.")
        }
        return String(scheme)
    }
}
