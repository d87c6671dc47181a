import OAuthCore

extension Exchange {
    /// A request whose response the text may not contain.
    init(number: Int, method: String, target: some StringProtocol, status: Substring? = nil) {
        self.init(number: number, method: method, url: String(target), status: status.flatMap { Int($0) } ?? 0)
        parameters = Parameters(queryAndFragmentOf: url)
        mayLackResponse = true
    }

    /// Whether the text above has nothing of the response.
    var isWaiting: Bool { status == 0 && body == nil }

    /// What two lines that report one request have in common, for example the program's and the server's.
    struct Identity: Hashable {
        let method: String
        let role: Role?
        let state: String?
        let code: String?
    }

    /// `nil` for a request that looks like others.
    var identity: Identity? {
        let (state, code, role) = (parameters["state"], parameters["code"], ownRole)
        guard state != nil || code != nil, role != .token else { return nil }
        return Identity(method: method, role: role, state: state, code: code)
    }

    /// Whether this line, without parameters, reports the request of a line before.
    func completes(_ last: Exchange) -> Bool {
        guard method == last.method, parameters.isEmpty, last.url.isEmpty || last.path == path else { return false }
        return last.isWaiting || last.status == status && !last.parameters.isEmpty
    }
}
