import Foundation
import KeyturnSystem
import OAuthCore

/// The secret of the configured client, which a flow reads once.
struct ConfiguredSecret: Sendable {
    /// Reads its text; `nil` for a client without a secret.
    var read: (@Sendable () async throws -> String)?
    fileprivate let known = Locked<ClientSecret?>(nil)

    init(_ read: (@Sendable () async throws -> String)? = nil) { self.read = read }
}

extension FlowContext {
    func clientSecret(at authority: ResolvedAuthority) -> ClientSecret? {
        settings.resource?.clientSecret ?? (isConfigured(authority) ? secret.known.withLock { $0 } : nil)
    }

    /// Reads the configured secret for an authority, unless it is read already. Call this before a step that can't be taken back.
    func readSecret(for authority: ResolvedAuthority) async throws {
        guard let read = secret.read, isConfigured(authority), secret.known.withLock({ $0 == nil }) else { return }
        let methods = authority.configuration.authenticationMethods
        guard let method = ClientSecret.Method(among: methods) else {
            throw AuthenticationFailure.caller(
                .clientSecret(
                    "\(authority.tokenHost) takes no client secret: it lists only \(methods.prefix(5).joined(separator: ", ")).",
                    next: "Register a public client there, or one for client_secret_basic or client_secret_post."))
        }
        func unusable(_ reason: String, _ next: String) -> AuthenticationFailure {
            .caller(.clientSecret("\(reason) It is for \(settings.clientID) at \(authority.tokenHost).", next: next))
        }
        let text: String
        do { text = try await read() } catch {
            if Task.isCancelled { throw AuthenticationFailure.user(.canceled) }
            if case AuthenticationFailure.caller(.clientSecret(let reason, let next)) = error {
                throw unusable(reason, next)
            }
            if let failure = error as? AuthenticationFailure { throw failure }
            let error = error as NSError
            throw unusable(
                error.localizedDescription,
                error.localizedRecoverySuggestion ?? "Check where the client secret comes from.")
        }
        guard ClientSecret.isOne(text) else {
            throw unusable(
                text.isEmpty
                    ? "The client secret is empty."
                    : "The client secret has a line break or another character that none can have, or is too long.",
                "Copy it again from the provider's console.")
        }
        secret.known.withLock { $0 = ClientSecret(Secret(text), method) }
    }

    /// Whether the authority is the one that the configuration names, for its own client. A realm of the same host is another.
    private func isConfigured(_ authority: ResolvedAuthority) -> Bool {
        guard settings.resource.map({ $0.clientSource == .configuration }) ?? true else { return false }
        let (one, own) = (authority.authority, settings.authority)
        return one == own || one.speaksEntra && own.speaksEntra && one.url.origin == own.url.origin
    }
}
