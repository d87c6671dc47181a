import Diagnosis
import Foundation
import MSAL

package struct GitCredentialCommand: Subcommand {
    private static let host = Option("host", argument: "URL")
    private static let remove = Option("remove", of: "git-credential")

    package static let specification = CommandSpecification(
        name: "git-credential", options: [host, remove, Demand.scope] + Demand.options,
        operand: "get|store|erase|capability|install")

    private enum Operation: String { case get, store, erase, capability, install }

    @Boxed private var demand: Demand
    /// `nil` for one of a later version of git, which helpers must ignore.
    private let operation: Operation?
    /// `nil` for operations that give no token.
    private let installation: GitConfiguration?
    private let removes: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        operation = options.operands.first.flatMap(Operation.init)
        removes = options.has(Self.remove)
        guard [.get, .install].contains(operation) else {
            installation = nil
            return
        }
        guard let text = options[Self.host] else {
            throw .missingOperand("--host URL", command: Self.specification.name)
        }
        guard let url = URL(string: text), let scheme = url.scheme, let name = url.host(), url.user == nil,
            url.query == nil, url.fragment == nil, url.path.isEmpty || url.path == "/",
            name.wholeMatch(of: #/[A-Za-z0-9.-]+/#) != nil,
            // Elsewhere, http would show the token to the network.
            scheme == "https" || scheme == "http" && ["127.0.0.1", "localhost"].contains(name)
        else { throw .badArgument(Self.host, argument: text, wanted: "the https URL of one host, without a path") }
        installation = GitConfiguration(
            address: "\(scheme)://\(name)\(url.port.map { ":\($0)" } ?? "")",
            arguments: options.words(without: Self.remove))
    }

    /// The attributes of git. A line has at most 65,535 bytes.
    private static let mostBytes = 1 << 20

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        switch operation {
        case .get: try await get(in: surroundings)
        case .erase, .store:
            let given = GitCredential(try await surroundings.input(mostBytes: Self.mostBytes))
            guard let token = given.token else { break }
            if let carried = try? CarriedTokens.find(demand.settings, in: surroundings.environment) {
                // The user's computer has the next token, and nothing is written here.
                var demand = demand
                demand.forceRefresh = operation == .erase
                if demand.forceRefresh { _ = try? await carried.token(for: demand) }
                break
            }
            if operation == .erase { RejectedTokens(in: surroundings.environment).add(token) }
            if operation == .store { Self.replacements(in: surroundings).remove(token) }
        case .capability: try surroundings.output.write(GitCredential.capabilities)
        case .install: try await install(in: surroundings)
        case nil: break
        }
        return .done
    }

    private func get(in surroundings: Surroundings) async throws {
        let given = GitCredential(try await surroundings.input(mostBytes: Self.mostBytes))
        // git asks each helper without a section of its own for every host.
        guard given.address == installation?.address.lowercased() else { return }
        let desk = try TokenDesk(demand, carries: true, mayInteract: Self.mayPrompt(in: surroundings), in: surroundings)
        var demand = demand
        demand.accountName = given.accountName(at: desk.profile.authorityType) ?? demand.accountName
        let rejected = RejectedTokens(in: surroundings.environment)
        let replacements = Self.replacements(in: surroundings)
        var rejections = Rejections()
        var token = try await desk.token(for: demand)
        // git asks again in another process: what the last one got was the refresh.
        if replacements.contains(token.result.accessToken) { _ = try rejections.next(sent: "") }
        while rejected.contains(token.result.accessToken) {
            do {
                let rejection = try rejections.next(sent: token.result.authorizationHeader)
                guard let rejection else { throw rejectedAgain }
                token = try await desk.token(for: demand, after: rejection)
            } catch is TokenDesk.NoToken {
                throw rejectedAgain
            }
            replacements.add(token.result.accessToken)
        }
        let printed = try token.printed()
        try surroundings.output.write(given.response(token: printed.text, expiresOn: printed.expiresOn))
    }

    /// The tokens that a rejection has led to, until the host accepts them.
    private static func replacements(in surroundings: Surroundings) -> RejectedTokens {
        RejectedTokens(in: surroundings.environment, named: "replacements")
    }

    private var rejectedAgain: Failure {
        Failure(
            .interactionRequired, name: "rejectedAgain",
            "\(installation?.address ?? "The host") rejects the token, and the one that a refresh gave in its place.",
            nextStep: "Run 'keyturn sign-in', or check with 'keyturn claims' whom the token is for.")
    }

    /// Whether git itself could ask the user (git-config(1), credential.interactive; GIT_TERMINAL_PROMPT).
    private static func mayPrompt(in surroundings: Surroundings) -> Bool {
        let interactive = surroundings.environment["GCM_INTERACTIVE"]?.lowercased() ?? "auto"
        return surroundings.environment["GIT_TERMINAL_PROMPT"] != "0" && !["never", "false", "0"].contains(interactive)
            && surroundings.errors.isTerminal
    }

    private func install(in surroundings: Surroundings) async throws {
        guard let installation else { return }
        if removes {
            let wasThere = try await installation.remove(in: surroundings.environment)
            surroundings.tell(
                wasThere
                    ? "git no longer asks Keyturn for \(installation.address).\n"
                    : "git doesn't ask Keyturn for \(installation.address).\n")
            return
        }
        // A profile that doesn't exist would fail only at the next fetch.
        _ = try demand.profile(in: surroundings)
        try await installation.install(in: surroundings.environment)
        surroundings.tell("git now asks Keyturn for \(installation.address).\n")
    }
}

/// The attributes that git and its credential helpers exchange (git-credential(1), "INPUT/OUTPUT FORMAT").
struct GitCredential: Sendable {
    private var attributes: [(name: String, value: String)] = []

    /// Reads `name=value` lines up to an empty one. git forbids NUL; a line without a name is no attribute.
    init(_ text: String) {
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { ["\n", "\r\n"].contains($0) }) {
            guard !line.isEmpty else { break }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { continue }
            let (name, value) = (String(parts[0]), String(parts[1]))
            // An empty value of a list clears it.
            if name.hasSuffix("[]"), value.isEmpty {
                attributes.removeAll { $0.name == name }
            } else {
                attributes.append((name, value))
            }
        }
    }

    subscript(name: String) -> String? { attributes.last { $0.name == name }?.value }

    /// The account that the repository's URL names. Where usernames have no @, it can be the name that goes with a token.
    func accountName(at authorityType: AuthorityKind?) -> String? {
        guard let name = self["username"], name.contains("@") || authorityType == .oauth else { return nil }
        return [Self.anyUsername, "x-access-token", "git"].contains(name) ? nil : name
    }

    func all(_ name: String) -> [String] { attributes.filter { $0.name == name }.map(\.value) }

    /// The scheme, host and port; `nil` if git doesn't name them.
    var address: String? {
        guard let scheme = self["protocol"], let host = self["host"] else { return nil }
        return "\(scheme)://\(host)".lowercased()
    }

    /// The token that git used, and that the host rejected or accepted.
    var token: String? { self["credential"] ?? self["password"] }

    private static let authtype = "authtype"

    static let capabilities = "version 0\ncapability \(authtype)\n"

    /// The username that hosts expect beside a token, if the URL names none.
    private static let anyUsername = "oauth2"

    /// What `get` prints. Never an empty password, which git would send.
    func response(token: String, expiresOn: Date?) -> String {
        var lines: [String] = []
        // git can send it so, and the host asks for it. Others get the token as a password.
        if all("capability[]").contains(Self.authtype),
            all("wwwauth[]").contains(where: { $0.lowercased().hasPrefix("bearer") })
        {
            lines += ["capability[]=\(Self.authtype)", "authtype=Bearer", "credential=\(token)", "ephemeral=1"]
        } else {
            lines += ["username=\(self["username"] ?? Self.anyUsername)", "password=\(token)"]
        }
        if let expiresOn { lines.append("password_expiry_utc=\(Int(expiresOn.timeIntervalSince1970))") }
        return lines.joined(separator: "\n") + "\n"
    }
}
