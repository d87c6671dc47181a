import Console
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI

extension Settings {
    /// The profiles of a command about all accounts: that of the command line, or all of the configuration.
    func allProfiles(in environment: [String: String]) throws(ConfigurationError) -> [Profile] {
        guard profileName == nil, clientID == nil else { return [try profile(in: environment)] }
        return try configuredProfiles(in: environment)
    }

    /// The accounts of these profiles, and of the resources that were signed in to.
    func watchedCaches(in surroundings: Surroundings) -> WatchedCaches {
        var reader = CacheReader(surroundings: surroundings)
        reader.change.add(ConfigurationFile.locate(named: config, in: surroundings.environment).path)
        reader.problems = eachPlace(in: surroundings.environment) { try reader.add($0) }
        let change = reader.change
        return WatchedCaches(accounts: reader.accounts, problems: reader.problems) { try await change.wait(until: $0) }
    }

    /// Visits each profile, and each resource that was signed in to. Goes on after a failure, and returns the failures.
    func eachPlace(in environment: [String: String], _ visit: (AccountPlace) throws -> Void) -> [Failure] {
        var problems: [Failure] = []
        func attempt(_ work: () throws -> Void) {
            do { try work() } catch { problems.append(Failure(reporting: error)) }
        }
        attempt {
            for profile in try allProfiles(in: environment) {
                attempt {
                    try visit(
                        AccountPlace(
                            application: profile.application(), profile: profile, demand: Demand(settings: self),
                            name: profile.name, option: "--profile \(profile.name.quotedForShell)"))
                }
            }
        }
        attempt {
            for resource in try signedInResources(in: environment) {
                let profile = try profile(in: environment, forResource: resource.url)
                let demand = Demand(settings: self, resource: resource.url)
                guard let application = try DemandedApplication(demand: demand, profile: profile).known() else {
                    continue
                }
                let url = resource.url.absoluteString
                try visit(
                    AccountPlace(
                        application: application, profile: profile, demand: demand, name: url,
                        option: "--resource \(url.quotedForShell)"))
            }
        }
        return problems
    }
}

/// A profile or a resource with its accounts.
struct AccountPlace {
    var application: MSALPublicClientApplication
    @Boxed var profile: Profile
    @Boxed var demand: Demand
    /// The profile's name, or the resource's URL.
    var name: String
    /// The option that selects it.
    var option: String
}

private struct CacheReader {
    let surroundings: Surroundings
    var change = ChangeWait()
    var accounts: [WatchedAccount] = []
    var problems: [Failure] = []

    mutating func add(_ place: AccountPlace) throws {
        let application = place.application
        var demand = place.demand
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
            let desk = try TokenDesk(demand, place.profile, application: application, in: surroundings)
            let key = [cache, application.configuration.clientId, identifier].joined(separator: "\n")
            // Profiles of the same client share the refresh token.
            guard !accounts.contains(where: { $0.identifier == key }) else { continue }
            accounts.append(
                WatchedAccount(
                    identifier: key, name: Printable.sanitize("\(account.username ?? identifier) (\(place.name))"),
                    signIn: Printable.sanitize("keyturn sign-in \(place.option)"), tokens: held
                ) { [demand] in
                    try await desk.token(for: demand, mayInteract: false).result.cached().expiresOn
                })
        }
    }
}
