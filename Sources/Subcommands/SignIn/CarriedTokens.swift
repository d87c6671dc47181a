import Foundation
import JSON
import KeyturnSystem
import MSAL
import OAuthCore
import TerminalUI

/// The access tokens that 'keyturn ssh' carries to this server, of the computer from which it came.
struct CarriedTokens: Sendable {
    private static let variable = "KEYTURN_CARRY"
    /// Longer than the user may take for a question.
    private static let patience = 90

    let path: String
    /// Receives what a wait is for.
    var tell: @Sendable (String) -> Void = { _ in }

    static func folder(in environment: [String: String]) -> String {
        BaseDirectory.runtime(in: environment) + "/keyturn/carry"
    }

    /// The newest open connection, if the variable says so or this server has no configuration of its own. Throws if all have
    /// ended: what outlives a connection, as tmux does, finds the next one.
    static func find(_ settings: Settings, in environment: [String: String]) throws(Failure) -> CarriedTokens? {
        let isOwn =
            settings.clientID != nil || settings.authority != nil || settings.cacheFile != nil
            || !ConfigurationFile.locate(named: settings.config, in: environment).isMissing
        return isOwn && (environment[variable] ?? "").isEmpty ? nil : try newest(in: environment)
    }

    static func newest(in environment: [String: String]) throws(Failure) -> CarriedTokens? {
        let told = environment[variable] ?? ""
        guard told != "no" else { return nil }
        let paths = (told.hasPrefix("/") ? [told] : []) + sockets(in: folder(in: environment))
        let (open, others) = (paths.first(where: LocalStream.isOpen), paths.dropFirst(told.hasPrefix("/") ? 1 : 0))
        // sshd leaves them behind when it is killed. A young one may not listen yet.
        for path in others where path != open && birth(path) + 60 < time(nil) && LocalStream.isAbandoned(path) {
            unlink(path)
        }
        if let open { return CarriedTokens(path: open) }
        if paths.isEmpty, told.isEmpty { return nil }
        throw ended
    }

    /// Throws for a command that can't use carried tokens, if it would.
    static func rejectUse(by command: String, _ settings: Settings, in environment: [String: String]) throws(Failure) {
        guard let path = (try? find(settings, in: environment))?.path else { return }
        throw Failure(
            .usage, name: "notCarried",
            "This server gets the tokens of your computer, through \(path), which carries none for 'keyturn \(command)'.",
            nextStep: "Use 'keyturn token', 'call', 'exec' or 'git-credential', "
                + "or set \(variable)=no for this server's own accounts.")
    }

    private static func sockets(in folder: String) -> [String] {
        guard FileTrust.distrust(of: folder) == nil else { return [] }
        return ((try? PlainFile.names(in: folder)) ?? []).map { "\(folder)/\($0.name)" }.sorted {
            birth($0) > birth($1)
        }
    }

    private static func birth(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
    }

    /// Throws ``Failure`` with the reason of the other side if it gives none.
    func token(for demand: Demand, after rejection: Rejection? = nil) async throws -> MSALResult {
        let program = RunningProcess(id: getppid()).command
        guard let request = CarriedRequest(demand, after: rejection, of: program) else {
            throw Failure(
                .interactionRequired, name: "notCarried",
                "The server requires a sign-in, or the command another tenant.",
                nextStep: "Run 'keyturn sign-in' on your computer, and omit --tenant here.")
        }
        let notice = Task(executorPreference: ThreadPool.current) { [tell] in
            try await sleep(for: .seconds(3))
            tell("Waiting up to \(Self.patience) seconds for your computer. It may ask you there.\n")
        }
        defer { notice.cancel() }
        guard let result = MSALResult(carried: try await response(to: request, seconds: Self.patience)) else {
            throw Self.ended
        }
        return result
    }

    /// The user's own computer, if its browser is to open pages: none opens here.
    static func lender(in surroundings: Surroundings) -> CarriedTokens? {
        let machine = surroundings.machine
        guard surroundings.browser == nil, !machine.namesBrowser, machine.ssh != nil || !machine.hasDisplay else {
            return nil
        }
        return try? newest(in: surroundings.environment)
    }

    static let opening = "Asking your own computer to open the page, through 'keyturn ssh'."

    /// Opens the page of the waiting sign-in on the user's computer, and takes the response from there to the sign-in, which
    /// checks it.
    @Sendable func open(_ url: URL) async throws {
        let awaited = MSALPublicClientApplication.awaitedResponse()
        guard let page = CarriedPage(url, redirectURI: awaited?.redirectURI, state: awaited?.state) else {
            throw Failure(
                .configuration, name: "notCarried", "The sign-in page can't open on your own computer.",
                nextStep: "Use http://localhost as the redirect URI, or another method (--method paste).")
        }
        _ = MSALPublicClientApplication.handleMSALResponse(try await response(to: page), sourceApplication: nil)
    }

    private func response(to page: CarriedPage) async throws -> URL {
        var request = CarriedRequest()
        (request.page, request.program) = (page, String(RunningProcess(id: getppid()).command.prefix(60)))
        let patience = Self.patience + Int(MSALInteractiveTokenParameters.defaultResponseTimeout)
        let json: JSONValue
        do { json = try await response(to: request, seconds: patience) } catch var failure as Failure {
            if failure.isUncarried { failure.advice = "Or use another method (--method paste)." }
            throw failure
        }
        guard let url = json["response"]?.string.flatMap({ URL(string: $0) }) else { throw Self.ended }
        return url
    }

    private func response(to request: CarriedRequest, seconds: Int) async throws -> JSONValue {
        let text = "GET \(request.target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let response: [UInt8]
        do throws(LocalStream.Failure) {
            // Larger responses aren't a token.
            response = try await LocalStream.exchange(text, at: path, atMost: 1 << 18, seconds: seconds)
        } catch {
            try Task.checkCancellation()
            guard error == .late else { throw Self.ended }
            throw Failure(
                .network, name: "carryLate", "Your computer sent no response within \(seconds) seconds.",
                nextStep: "Check that it is awake and connected, and try again.")
        }
        return try Self.json(response).get()
    }

    static func json(_ response: [UInt8]) -> Result<JSONValue, Failure> {
        let end = response.indices.first { response[$0...].starts(with: "\r\n\r\n".utf8) } ?? response.endIndex
        guard let json = try? JSONValue(parsing: Array(response[end...].dropFirst(4))) else { return .failure(ended) }
        guard let detail = json["detail"]?.string else { return .success(json) }
        return .failure(
            Failure(
                [401, 403].contains(json["status"]?.integer) ? .interactionRequired : .failed, name: "notCarried",
                "Your computer doesn't carry this: \(Printable.sanitize(detail.prefix(600)))", nextStep: ""))
    }

    static let ended = Failure(
        .interactionRequired, name: "carryEnded", "The connection of 'keyturn ssh' that carries tokens here has ended.",
        nextStep: "Connect again with 'keyturn ssh', or set \(variable)=no for this server's own accounts.")

    static let accessOnly = Failure(
        .usage, name: "notCarried", "'keyturn ssh' carries access tokens only.", nextStep: "Omit --token id.")
}

extension Failure {
    var isUncarried: Bool { codeNames == ["notCarried"] }
}

extension Settings {
    /// In place of a profile, which the user's computer has.
    var carriedProfile: Profile {
        var profile = Profile(name: profileName ?? "", clientID: "", authority: URL(fileURLWithPath: "/"))
        profile.certificateAuthorityFile = certificateAuthorityFile
        return profile
    }
}

extension MSALResult {
    /// Whether it is of another computer, which sends neither the authority nor how it got the token.
    var isCarried: Bool { account.environment.isEmpty }

    /// A token of another computer. `nil` if a response has none, or one that a header can't have.
    convenience init?(carried json: JSONValue) {
        guard let token = json["accessToken"]?.string, let scheme = json["tokenType"]?.string, !token.isEmpty,
            (token + scheme).utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let account = MSALAccount(
            username: json["account"]?.string, homeAccountId: nil, environment: "", tenantProfiles: nil, claims: nil)
        self.init(
            accessToken: token, authenticationScheme: scheme,
            expiresOn: json["expiresOn"]?.double.map(Date.init(timeIntervalSince1970:)),
            scopes: json["scopes"]?.strings ?? [], account: account, correlationID: UUID())
    }
}
