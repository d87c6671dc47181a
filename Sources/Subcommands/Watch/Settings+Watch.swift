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
        var change = ChangeWait()
        change.add(ConfigurationFile.locate(named: config, in: surroundings.environment).path)
        var accounts: [WatchedAccount] = []
        let problems = eachPlace(in: surroundings.environment) { place in
            let cache = try place.application.cacheProtection.path ?? ""
            // Otherwise the first sign-in isn't noticed.
            try? PrivateFolder.make(cache.parentFolder)
            // Before the accounts are read.
            for file in [cache, "\(cache)-wal"] where !cache.isEmpty { change.add(file) }
            // Profiles of the same client share the refresh token.
            let known = Set(accounts.map(\.identifier))
            accounts += try place.watchedAccounts(of: cache, in: surroundings).filter { !known.contains($0.identifier) }
        }
        return WatchedCaches(accounts: accounts, problems: problems) { [change] in try await change.wait(until: $0) }
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
    /// Of the profile, or the resource's URL.
    var name: String
    var option: String
}

extension AccountPlace {
    fileprivate func watchedAccounts(of cache: String, in surroundings: Surroundings) throws -> [WatchedAccount] {
        var demand = demand
        demand.forceRefresh = true
        let config = demand.settings.config.map { " --config \(URL(filePath: $0).path.quotedForShell)" } ?? ""
        let tokens = try application.cachedTokens()
        return try application.allAccounts().filter(application.isOfAuthority).compactMap { account in
            guard let identifier = account.identifier, let held = tokens[identifier] else { return nil }
            demand.accountName = identifier
            let desk = try TokenDesk(demand, profile, application: application, in: surroundings)
            return WatchedAccount(
                identifier: [cache, application.configuration.clientId, identifier].joined(separator: "\n"),
                name: Printable.sanitize("\(account.username ?? identifier) (\(name))"),
                signIn: Printable.sanitize("keyturn sign-in \(option)\(config)"), tokens: held
            ) { [demand] in
                try await desk.token(for: demand, mayInteract: false).result.cached().expiresOn
            }
        }
    }
}
