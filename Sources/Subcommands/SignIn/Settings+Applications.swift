import Foundation
import MSAL

extension Settings {
    /// The applications for a command about cached accounts: that of the profile or a resource; without a configuration, of
    /// each resource that was signed in to.
    func applications(
        forResource resource: URL?, in environment: [String: String]
    ) throws -> [MSALPublicClientApplication] {
        guard resource == nil, !hasProfile(in: environment) else {
            return [try application(forResource: resource, in: environment)]
        }
        let found = try signedInResources(in: environment)
        guard !found.isEmpty else { return [try application(forResource: nil, in: environment)] }
        return try found.map { try application(forResource: $0.url, in: environment) }
    }

    /// The resources that have accounts in the cache.
    func signedInResources(in environment: [String: String]) throws -> [MSALProtectedResource] {
        let profile = try profile(in: environment, forResource: URL(string: "https://localhost"))
        return try MSALPublicClientApplication.signedInResources(configuration: profile.configuration())
    }

    /// The application with an account of this name, or the first one.
    func application(
        with account: String, forResource resource: URL?, in environment: [String: String]
    ) async throws -> MSALPublicClientApplication {
        let applications = try applications(forResource: resource, in: environment)
        guard applications.count > 1 else { return applications[0] }
        var owners: [MSALPublicClientApplication] = []
        for application in applications where try await application.account(named: account) != nil {
            owners.append(application)
        }
        guard owners.count > 1 else { return owners.first ?? applications[0] }
        let urls = owners.compactMap { $0.configuration.resource?.url.absoluteString }
        throw Failure(
            .usage, name: "severalResources",
            "\(account) is signed in to several resources: \(urls.joined(separator: ", ")).",
            nextStep: "Add --resource URL.")
    }

    /// The application for a command about cached accounts: that of the profile, or of a resource.
    func application(
        forResource resource: URL?, in environment: [String: String]
    ) throws -> MSALPublicClientApplication {
        let profile = try profile(in: environment, forResource: resource)
        return try DemandedApplication(demand: Demand(settings: self, resource: resource), profile: profile).signedIn()
    }
}
