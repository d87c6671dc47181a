import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

extension Profile {
    /// Throws if the profile is invalid, for example its redirect URI.
    package func application(
        _ change: (MSALPublicClientApplicationConfig) -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        try MSALPublicClientApplication(configuration: try configuration(change))
    }

    /// Throws if a file of the profile is unsafe or unreadable.
    func configuration(
        _ change: (MSALPublicClientApplicationConfig) -> Void = { _ in }
    ) throws -> MSALPublicClientApplicationConfig {
        try Self.checkTrust("passphrase file", cachePassphraseFile)
        try Self.checkTrust("passphrase file", cachePreviousPassphraseFile)
        try checkBrowser()
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID, redirectUri: redirectURI, authority: try libraryAuthority())
        configuration.knownAuthorities = try knownAuthorities.map(libraryAuthority)
        configuration.appRegistration = try registration()
        configuration.browser = browser
        configuration.loopbackListener = listener
        configuration.flowRecordHandler = attemptFile.map { AttemptFile(path: $0).save }
        configuration.linuxBrokerEnabled = methods.contains(.broker)
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
        configuration.certificateAuthorityFile = try certificateAuthorityFile.map { try Self.certificates(in: $0) }
        configuration.sendsResource = sendsResource
        configuration.requiredReservedScopes = requiredReservedScopes
        configuration.extraAuthorizationParameters = extraParameters
        configuration.audience = audience
        configuration.resourceScopes = resources
        configuration.managedServers = managedServers.mapValues {
            MSALManagedServer(authority: $0.authority, clientId: $0.clientID, clientSecret: $0.clientSecret?.source)
        }
        if let tokenExpirationBuffer { configuration.tokenExpirationBuffer = tokenExpirationBuffer }
        configuration.clientMetadataDocument = clientMetadata
        configuration.clientSecret = clientSecret?.source
        change(configuration)
        return configuration
    }

    /// The application without changes to its token cache, also not repairs.
    func applicationToLookAt() throws -> MSALPublicClientApplication {
        try application { $0.cacheConfig.isLookedAtOnly = true }
    }

    func libraryAuthority() throws -> MSALAuthority { try libraryAuthority(authority) }

    private func libraryAuthority(_ url: URL) throws -> MSALAuthority {
        try Self.libraryAuthority(url, authorityType, endpoints)
    }

    static func libraryAuthority(
        _ url: URL, _ kind: AuthorityKind?, _ endpoints: OAuthEndpoints = OAuthEndpoints()
    ) throws -> MSALAuthority {
        switch kind ?? AuthorityKind(of: url) {
        case nil: try MSALAuthority(url: url)
        case .aad: try MSALAADAuthority(url: url)
        case .b2c: try MSALB2CAuthority(url: url)
        case .ciam: try MSALCIAMAuthority(url: url)
        case .oidc: try MSALOIDCAuthority(url: url)
        case .oauth: try MSALOAuthAuthority(url: url, endpoints: endpoints.addresses, account: endpoints.account)
        }
    }

    func registration() throws -> MSALAppRegistration {
        guard let infoPlist else {
            return try .ofThisProgram(InstalledFile.infoPlist ?? EmbeddedResource.infoPlist, bundleIdentifier)
        }
        let document: Data
        do {
            try Self.checkTrust("Info.plist", infoPlist.path)
            document = try Data(PlainFile.read(infoPlist.path, atMost: PropertyListFile.mostBytes))
        } catch let failure as PlainFile.Failure {
            throw infoPlist.mistake(
                "can't read \(infoPlist.path): \(failure.reason)", "Correct the path, or remove the key")
        }
        do { return try MSALAppRegistration(document, bundleIdentifier) } catch {
            throw infoPlist.mistake(
                "\(infoPlist.path): \(error.localizedDescription)", "Use a property list with a CFBundleIdentifier")
        }
    }

    /// The CA file, if it contains a certificate and other users can't change it.
    static func certificates(in path: String) throws(Failure) -> String {
        try checkTrust("CA file", path)
        let problem = CertificateFile.problem(path)
        guard let problem else { return path }
        throw Failure(
            .configuration, name: "caFile", "The CA file \(path) \(problem).",
            nextStep: "Use a PEM file of certificates for caFile or --ca-file.")
    }

    private static func checkTrust(_ kind: String, _ path: String?) throws(Failure) {
        guard let path, let distrust = FileTrust.distrust(of: path) else { return }
        throw rejection("The \(kind) \(path)", distrust)
    }

    private static func rejection(_ subject: String, _ distrust: Distrust) -> Failure {
        Failure(
            .configuration, name: "unsafeFile", "\(subject) is unsafe: \(distrust.problem).",
            nextStep: "\(distrust.remedy).")
    }

    /// Rejects a browser that other users can change. Checks commands from `PATH` when they start.
    private func checkBrowser() throws(Failure) {
        for entry in (browser ?? "").split(separator: ":") {
            let command = entry.split(separator: " ").map(String.init)
            guard let distrust = FileTrust.distrust(ofCommand: command, searchPath: "") else { continue }
            throw Self.rejection("The browser \(command.joined(separator: " "))", distrust)
        }
    }
}

extension MSALAppRegistration {
    /// This program's own registration, which the user can't change.
    static func ofThisProgram(_ document: Data, _ bundleIdentifier: String? = nil) throws -> MSALAppRegistration {
        var registration = try MSALAppRegistration(document, bundleIdentifier)
        registration.hasInfoPlist = false
        return registration
    }

    fileprivate init(_ document: Data, _ bundleIdentifier: String?) throws {
        if let bundleIdentifier {
            try self.init(infoPlist: document, bundleIdentifier: bundleIdentifier)
        } else {
            try self.init(infoPlist: document)
        }
    }
}
