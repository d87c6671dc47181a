import Foundation
import MSAL

extension Profile {
    /// The library's application for this profile. Throws what the library says of it, as for a refused redirect URI.
    /// - Parameter change: sees the configuration before the application is made.
    package func application(
        _ change: (MSALPublicClientApplicationConfig) -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID, redirectUri: redirectURI, authority: try libraryAuthority())
        configuration.knownAuthorities = try knownAuthorities.map(libraryAuthority)
        configuration.appRegistration = try registration()
        configuration.browser = browser
        configuration.loopbackListener = listener
        configuration.flowRecordHandler = attemptFile.map { AttemptFile(path: $0).keep }
        configuration.linuxBrokerEnabled = ways.contains(.broker)
        if !clientCapabilities.isEmpty { configuration.clientApplicationCapabilities = clientCapabilities }
        if let keychainSharingGroup { configuration.cacheConfig.keychainSharingGroup = keychainSharingGroup }
        let file = cacheFile.map { URL(fileURLWithPath: $0) }
        switch (cacheKind, file) {
        case (.unified, let file?): configuration.cacheConfig.kind = .unified(file)
        case (.unified, nil), (.encrypted, _): configuration.cacheConfig.storeURL = file
        }
        configuration.cacheConfig.keySource = cacheKey
        configuration.cacheConfig.passphrase = cachePassphraseFile.map { .file(URL(fileURLWithPath: $0)) }
        configuration.cacheConfig.previousPassphrase = cachePreviousPassphraseFile.map {
            .file(URL(fileURLWithPath: $0))
        }
        if let certificateAuthorityFile {
            MSALGlobalConfig.httpConfig.certificateAuthorityFile = try readable(certificateAuthorityFile)
        }
        change(configuration)
        return try MSALPublicClientApplication(configuration: configuration)
    }

    /// Where this profile signs in.
    func libraryAuthority() throws -> MSALAuthority { try libraryAuthority(authority) }

    private func libraryAuthority(_ url: URL) throws -> MSALAuthority {
        try Self.libraryAuthority(url, authorityType)
    }

    /// The library's authority for an address.
    static func libraryAuthority(_ url: URL, _ type: AuthorityType) throws -> MSALAuthority {
        switch AuthorityKind(type, for: url) {
        case .byPath: try MSALAuthority(url: url)
        case .aad: try MSALAADAuthority(url: url)
        case .b2c: try MSALB2CAuthority(url: url)
        case .ciam: try MSALCIAMAuthority(url: url)
        case .oidc: try MSALOIDCAuthority(url: url)
        }
    }

    /// What the application registers with the system.
    func registration() throws -> MSALAppRegistration {
        guard let infoPlist else {
            return try registration(InstalledFile.infoPlist ?? EmbeddedResource.infoPlist)
        }
        let document: Data
        do {
            document = try Data(contentsOf: URL(fileURLWithPath: infoPlist.path))
        } catch {
            throw infoPlist.mistake(
                "\(infoPlist.path) cannot be read",
                "Correct the path, or remove the key to use the program's own registration")
        }
        do {
            return try registration(document)
        } catch {
            throw infoPlist.mistake(
                "\(infoPlist.path): \(error.localizedDescription)", "Name a property list with a CFBundleIdentifier")
        }
    }

    private func registration(_ document: Data) throws -> MSALAppRegistration {
        guard let bundleIdentifier else { return try MSALAppRegistration(infoPlist: document) }
        return try MSALAppRegistration(infoPlist: document, bundleIdentifier: bundleIdentifier)
    }

    private func readable(_ path: String) throws -> String {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure(
                .configuration, name: "configuration", "The CA file \(path) cannot be read.",
                nextStep: "Name a PEM file with --ca-file.")
        }
        return path
    }
}
