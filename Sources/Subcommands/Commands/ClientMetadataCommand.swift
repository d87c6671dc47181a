import Foundation
import MSAL

package struct ClientMetadataCommand: Subcommand {
    package static let specification = CommandSpecification(name: "client-metadata", operand: "URL")

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
