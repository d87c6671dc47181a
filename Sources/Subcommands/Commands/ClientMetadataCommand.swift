import Foundation
import MSAL

package struct ClientMetadataCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "client-metadata", summary: "Print a client ID metadata document for hosting",
        discussion: """
            Some authorization servers accept an https URL as the client ID and read the metadata from it. Host the
            printed document at that URL, and set the profile's clientMetadata to the URL. Any program on this computer
            can use the URL, so it doesn't prove who the client is. Some servers compare the redirect URI with its port:
            name the ports with --listen here, and at the sign-in.
            """,
        operand: "URL",
        examples: [
            "keyturn client-metadata https://example.com/keyturn.json",
            "keyturn client-metadata --listen 8400-8402 https://example.com/keyturn.json",
        ])

    @Boxed private var settings: Settings
    private let url: URL

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        let operand = options.operands.first ?? ""
        guard let url = URL(string: operand), ConfigurationReader.isClientDocument(url) else {
            throw .unknownOperand(
                operand, wanted: "an https URL with a path, without a query", command: Self.specification.name)
        }
        self.url = url
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        var profile = try settings.profile(in: surroundings.environment, forResource: url)
        profile.clientMetadata = url
        profile.clientID = url.absoluteString
        let configuration = try profile.configuration()
        // Checks the redirect URI.
        _ = try MSALPublicClientApplication(configuration: configuration)
        try surroundings.output.write(configuration.clientMetadataJSON(name: "Keyturn") + "\n")
        return .done
    }
}
