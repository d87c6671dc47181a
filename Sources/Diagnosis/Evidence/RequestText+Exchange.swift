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

    /// Whether two lines report one request, for example the program's and the server's.
    func isSameRequest(as other: Exchange) -> Bool {
        guard method == other.method, ownRole == other.ownRole, ownRole != .token else { return false }
        return ["state", "code"].contains { other.parameters[$0] != nil }
            && ["state", "code"].allSatisfy { parameters[$0] == other.parameters[$0] }
    }

    /// Whether this line, without parameters, reports the request of a line before.
    func completes(_ last: Exchange) -> Bool {
        guard method == last.method, parameters.isEmpty, last.url.isEmpty || last.path == path else { return false }
        return last.isWaiting || last.status == status && !last.parameters.isEmpty
    }

    /// Whether the body of JSON or HTML is complete.
    var isBodyComplete: Bool {
        guard let text = body?.trimmingCharacters(in: .whitespacesAndNewlines) else { return false }
        return text.hasPrefix("<") ? text.lowercased().hasSuffix("</html>") : json != nil
    }
}

extension Substring {
    /// The text to the brace that closes the first one.
    var prefixInBraces: Substring {
        var (depth, quote) = (0, Character?.none)
        for index in indices {
            switch (self[index], quote) {
            case ("\"", nil), ("'", nil): quote = self[index]
            case (let sign, .some(let open)) where sign == open: quote = nil
            case ("{", nil): depth += 1
            case ("}", nil):
                depth -= 1
                if depth == 0 { return self[...index] }
            default: break
            }
        }
        return ""
    }
}
