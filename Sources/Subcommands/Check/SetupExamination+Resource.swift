import Console
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

extension SetupExamination {
    func subject(of profile: Profile?, in surroundings: Surroundings) async -> Subject {
        guard let resource, let profile else { return Subject(profile: profile) }
        let access = access(to: resource, profile)
        do {
            return isOffline
                ? try offline(access, resource) : try await walked(access, resource, in: surroundings)
        } catch {
            return Subject(findings: [CheckFinding("Resource", ofSignIn: error)])
        }
    }

    private func access(to resource: URL, _ profile: Profile) -> DemandedApplication {
        var settings = settings
        settings.isQuiet = true
        var access = DemandedApplication(demand: Demand(settings: settings, resource: resource), profile: profile)
        access.isLookedAtOnly = !registers
        return access
    }

    private func offline(_ access: DemandedApplication, _ resource: URL) throws -> Subject {
        guard let known = try access.known(), let found = known.configuration.resource else {
            let fact = "No request to \(resource.absoluteString.withoutURLPasswords) (--offline)."
            return Subject(findings: [CheckFinding("Resource", .skipped, fact)])
        }
        return Subject(
            profile: access.profile(of: found),
            findings: [Self.found(found)] + Self.agreements(known, profile: access.profile, at: resource),
            application: known)
    }

    private func walked(
        _ access: DemandedApplication, _ resource: URL, in surroundings: Surroundings
    ) async throws -> Subject {
        let walked = try await value(within: .seconds(Self.walkPatience)) { try await access.probe(resource) }
        try Task.checkCancellation()
        guard let probe = walked else {
            return Subject(findings: [
                CheckFinding(
                    "Resource", .failed, "No complete response in \(Self.walkPatience) seconds.",
                    fix: "Check the network, proxy and URL, then try again.")
            ])
        }
        guard probe.failure == nil, let found = probe.resource else {
            let outcome = probe.failure.map { CheckFinding("Resource", ofSignIn: $0) }
            return Subject(findings: [outcome].compactMap(\.self) + ResourceFindings(probe).all)
        }
        let isManaged = access.profile.managedServer(for: found.url) != nil
        do {
            let application = registers ? try await access.registered(found, in: surroundings) : try access.known()
            let client = application?.configuration.resource ?? found
            return Subject(
                profile: client.clientId.isEmpty ? nil : access.profile(of: client),
                findings: [Self.found(found)] + Self.agreements(application, profile: access.profile, at: found.url)
                    + ResourceFindings(probe, client: client, isManaged: isManaged).all, application: application)
        } catch {
            let findings = ResourceFindings(probe, isManaged: isManaged).all.filter {
                $0.subject != ResourceFindings.clientRegistration
            }
            return Subject(
                findings: [Self.found(found)] + findings
                    + [CheckFinding(ResourceFindings.clientRegistration, ofSignIn: error)])
        }
    }

    private static func found(_ resource: MSALProtectedResource) -> CheckFinding {
        CheckFinding("Resource", .passed, "Tokens for \(resource.identifier) come from \(resource.issuer).")
    }

    /// What the user agreed to for the resource, also with the profile's own client, as on the screen.
    private static func agreements(
        _ application: MSALPublicClientApplication?, profile: Profile, at resource: URL
    ) -> [CheckFinding] {
        do {
            let registered = application.flatMap { $0.configuration.clientId == profile.clientID ? nil : $0 }
            let own = profile.clientID.isEmpty ? nil : try profile.application()
            return try [(own, ", or D after T in the list of accounts,"), (registered, "")].flatMap {
                application, place in
                try (application?.tokenAgreements(for: resource) ?? []).map {
                    CheckFinding(
                        "Allowed tokens", .passed,
                        "You allowed it \($0.demand). 'keyturn sign-out'\(place) takes it back.")
                }
            }
        } catch {
            return [CheckFinding("Allowed tokens", ofSignIn: error)]
        }
    }

    /// The time limit of the walk, in seconds. Each request has its own, and a server that doesn't respond gets no second one.
    private static let walkPatience = 60

    /// Whether the authority accepts a loopback redirect URI with another port than the registered one.
    func loopback(_ application: MSALPublicClientApplication, _ uri: String, isKnown: Bool) async -> [CheckFinding] {
        guard isKnown, application.configuration.resource?.clientSource == .registration,
            var parts = URLComponents(string: uri), let port = parts.port
        else { return [] }
        parts.port = port == 49_151 ? port - 1 : port + 1
        guard let other = parts.string else { return [] }
        let probed = await within(.seconds(Self.patience)) {
            try? await application.probeRegistration(redirectURI: other)
        }
        return [RegistrationProbeFindings.loopback((probed ?? nil).map { RegistrationProbeFindings($0) })]
    }
}
