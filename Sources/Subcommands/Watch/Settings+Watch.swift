import Console
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

extension Settings {
    /// The profiles whose accounts `keyturn watch` refreshes: that of the command line, or all of the configuration.
    func watchedProfiles(in environment: [String: String]) throws(ConfigurationError) -> [Profile] {
        guard profileName == nil, clientID == nil else { return [try profile(in: environment)] }
        return try configuredProfiles(in: environment)
    }

    /// The accounts of these profiles, and of the resources that were signed in to.
    func watchedCaches(in surroundings: Surroundings) -> WatchedCaches {
        var reader = CacheReader(settings: self, surroundings: surroundings)
        reader.change.add(ConfigurationFile.locate(named: config, in: surroundings.environment).path)
        reader.attempt { reader in
            for profile in try watchedProfiles(in: surroundings.environment) {
                reader.attempt { try $0.add(profile) }
            }
        }
        reader.attempt { try $0.addResources() }
        let change = reader.change
        return WatchedCaches(accounts: reader.accounts, problems: reader.problems) { try await change.wait(until: $0) }
    }
}

private struct CacheReader {
    let settings: Settings
    let surroundings: Surroundings
    var change = ChangeWait()
    var accounts: [WatchedAccount] = []
    var problems: [Failure] = []

    /// Goes on after a failure.
    mutating func attempt(_ work: (inout CacheReader) throws -> Void) {
        do { try work(&self) } catch { problems.append(Failure(reporting: error)) }
    }

    mutating func add(_ profile: Profile) throws {
        try add(
            try profile.application(), profile, Demand(settings: settings), place: profile.name,
            option: "--profile \(profile.name.quotedForShell)")
    }

    mutating func addResources() throws {
        let environment = surroundings.environment
        for resource in try settings.signedInResources(in: environment) {
            let profile = try settings.profile(in: environment, forResource: resource.url)
            let demand = Demand(settings: settings, resource: resource.url)
            guard let application = try DemandedApplication(demand: demand, profile: profile).known() else { continue }
            let url = resource.url.absoluteString
            try add(application, profile, demand, place: url, option: "--resource \(url.quotedForShell)")
        }
    }

    private mutating func add(
        _ application: MSALPublicClientApplication, _ profile: Profile, _ demand: Demand, place: String, option: String
    ) throws {
        var demand = demand
        demand.forceRefresh = true
        let cache = try application.cacheProtection.path ?? ""
        // Otherwise the first sign-in isn't noticed.
        try? PrivateFolder.make(cache.parentFolder)
        // Before the accounts are read.
        for file in [cache, "\(cache)-wal"] where !cache.isEmpty { change.add(file) }
        let tokens = try application.cachedTokens()
        for account in try application.allAccounts() where application.isOfAuthority(account) {
            guard let identifier = account.identifier, let held = tokens[identifier] else { continue }
            demand.accountName = identifier
            let desk = try TokenDesk(demand, profile, application: application, in: surroundings)
            let key = [cache, application.configuration.clientId, identifier].joined(separator: "\n")
            // Profiles of the same client share the refresh token.
            guard !accounts.contains(where: { $0.identifier == key }) else { continue }
            accounts.append(
                WatchedAccount(
                    identifier: key, name: Printable.sanitize("\(account.username ?? identifier) (\(place))"),
                    signIn: Printable.sanitize("keyturn sign-in \(option)"), tokens: held
                ) { [demand] in
                    try await desk.token(for: demand, mayInteract: false).result.cached().expiresOn
                })
        }
    }
}
