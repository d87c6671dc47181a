import Diagnosis
import Foundation
import MSAL
import POSIX

extension Profile {
    /// The library's application for this profile. Throws what the library says of it, as for a refused redirect URI.
    /// - Parameter change: sees the configuration before the application is made.
    package func application(
        _ change: (MSALPublicClientApplicationConfig) -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        try Self.checkTrust("passphrase file", cachePassphraseFile)
        try Self.checkTrust("passphrase file", cachePreviousPassphraseFile)
        try checkBrowser()
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID, redirectUri: redirectURI, authority: try libraryAuthority())
        configuration.knownAuthorities = try knownAuthorities.map(libraryAuthority)
        configuration.appRegistration = try registration()
        configuration.browser = browser
        configuration.loopbackListener = listener
        configuration.flowRecordHandler = attemptFile.map { AttemptFile(path: $0).keep }
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
        // Of this profile alone: one without the key goes by the system's certificates again.
        MSALGlobalConfig.httpConfig.certificateAuthorityFile = try certificateAuthorityFile.map {
            try Self.certificates(in: $0)
        }
        change(configuration)
        return try MSALPublicClientApplication(configuration: configuration)
    }

    /// The same to look at only: its token cache stays as it is, with what is damaged in it.
    func applicationToLookAt() throws -> MSALPublicClientApplication {
        try application { $0.cacheConfig.isLookedAtOnly = true }
    }

    /// Where this profile signs in.
    func libraryAuthority() throws -> MSALAuthority { try libraryAuthority(authority) }

    private func libraryAuthority(_ url: URL) throws -> MSALAuthority {
        try Self.libraryAuthority(url, authorityType)
    }

    /// The library's authority for an address.
    static func libraryAuthority(_ url: URL, _ kind: AuthorityKind?) throws -> MSALAuthority {
        switch kind ?? AuthorityKind(of: url) {
        case nil: try MSALAuthority(url: url)
        case .aad: try MSALAADAuthority(url: url)
        case .b2c: try MSALB2CAuthority(url: url)
        case .ciam: try MSALCIAMAuthority(url: url)
        case .oidc: try MSALOIDCAuthority(url: url)
        }
    }

    /// What the application registers with the system.
    func registration() throws -> MSALAppRegistration {
        guard let infoPlist else {
            return try .ofThisProgram(InstalledFile.infoPlist ?? EmbeddedResource.infoPlist, bundleIdentifier)
        }
        let document: Data
        do {
            try Self.checkTrust("Info.plist", infoPlist.path)
            document = try Data(PlainFile.read(infoPlist.path, atMost: PropertyListFile.mostBytes))
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw infoPlist.mistake(
                "\(infoPlist.path) cannot be read",
                "Correct the path, or remove the key to use the program's own registration")
        }
        do {
            return try MSALAppRegistration(document, bundleIdentifier)
        } catch {
            throw infoPlist.mistake(
                "\(infoPlist.path): \(error.localizedDescription)", "Name a property list with a CFBundleIdentifier")
        }
    }

    /// The CA file, once it is known that it holds a certificate and that other users cannot change it.
    static func certificates(in path: String) throws(CommandFailure) -> String {
        try checkTrust("CA file", path)
        let problem = CertificateFile.problem(path)
        guard let problem else { return path }
        throw CommandFailure(
            .configuration, name: "caFile", "The CA file \(path) \(problem).",
            nextStep: "Name a PEM file of certificates with caFile or --ca-file.")
    }

    /// Refuses a file that other users can change: it decides what is trusted or what runs.
    private static func checkTrust(_ kind: String, _ path: String?) throws(CommandFailure) {
        guard let path, let distrust = FileTrust.distrust(of: path) else { return }
        throw refusal("The \(kind) \(path)", distrust)
    }

    private static func refusal(_ subject: String, _ distrust: Distrust) -> CommandFailure {
        CommandFailure(
            .configuration, name: "unsafeFile", "\(subject) is not used: \(distrust.problem).",
            nextStep: "\(distrust.remedy).")
    }

    /// Programs and scripts that the profile names by their path. Those found in `PATH` are checked when they are started.
    private func checkBrowser() throws(CommandFailure) {
        for entry in (browser ?? "").split(separator: ":") {
            let command = entry.split(separator: " ").map(String.init)
            guard let distrust = FileTrust.distrust(ofCommand: command, searchPath: "") else { continue }
            throw Self.refusal("The browser \(command.joined(separator: " "))", distrust)
        }
    }
}

extension MSALAppRegistration {
    /// The registration that this program brings along, which is not the user's to correct.
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
