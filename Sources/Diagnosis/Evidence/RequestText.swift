import Foundation
import OAuthCore

/// Messages of curl, http.client and proxies, lines of HTTP libraries and servers, and logged URLs, forms and JSON.
/// A program often logs a request in several of these forms. Each request is listed once.
struct RequestText {
    private(set) var exchanges: [Exchange] = []

    private enum Message: Equatable {
        case none, requestHeaders, requestBody, responseHeaders, responseBody
        case marked
    }

    private var message = Message.none
    private var completion = BodyCompletion()
    private var index: Int?
    private var lastAuthorize: Int?
    /// The `Date` that httpcore logs before httpx logs the request.
    private var nextDate: Substring?
    /// The token that a program logs before its request.
    private var nextToken: Substring?
    /// The latest requests by the tags of their lines, because requests at the same time have mixed lines.
    private var tagged: [Substring: Int] = [:]
    private var reported: [Exchange.Identity: Int] = [:]
    private var tag: Substring?

    /// Lines with one of these are read, and the lines of a message that follow them.
    private static let marks = [
        "HTTP/", "grant_type", "response_type", "code=", "error=", "\"error\"", "'error'", "access_token",
        "device_code", "send: b", "{ URL: ", "reply: ", "header: ", "earer eyJ", "ith status ", "tatus code",
        "tatus_code", "'Date'", "'date'", "Date=", "token_endpoint", "eyJ", "> ", "< ", "<-- ",
    ]
    private static let marked = MarkedLines(scanner: TextScanner(marks), most: 20_000)
    private static let mostExchanges = 1000
    /// No server sends more header fields.
    private static let mostFields = 200

    /// - Parameter bytes: the text. If it is the JSON of an error alone, it counts as a response.
    init(_ bytes: [UInt8]) {
        if bytes.count <= Explainer.maximumLength, bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            let alone = Exchange(
                number: 1, method: "", url: "", status: 0, body: String(decoding: bytes, as: UTF8.self))
            if alone.json != nil {
                exchanges = alone.rejection == nil ? [] : [alone]
                return
            }
        }
        Self.marked.read(bytes) { line, number in
            read(line, number)
            return exchanges.count < Self.mostExchanges ? message != .none : nil
        }
    }

    private mutating func read(_ line: String, _ number: Int) {
        tag = line.firstMatch(of: LinePattern.tag.regex)?.tag
        if let tag { index = tagged[tag] ?? index }
        if readMarked(line, number) || readMessage(line, number) { return }
        let known = (exchanges.count, current?.status, current?.date)
        let isReported = readReport(line, number)
        if !isReported { readURL(line, number) }
        readForm(line, number)
        readOutcome(line)
        if let token = line.firstMatch(of: LinePattern.bearerToken.regex)?.token { nextToken = token }
        // The time counts only for what this line reports.
        // Another logger's line about the response of the request before has the time, which http.client doesn't print.
        let isReport = known != (exchanges.count, current?.status, current?.date) || isReported && current?.time == nil
        if isReport, let (time, hasZone) = Self.time(line) { change { ($0.time, $0.hasLocalTime) = (time, !hasZone) } }
    }

    // MARK: Messages

    /// A line with the mark of curl (`>`, `<`, `*`) or of Python's http.client (`send:`, `reply:`, `header:`).
    private mutating func readMarked(_ line: String, _ number: Int) -> Bool {
        if let sent = line.firstMatch(of: LinePattern.pythonSent.regex)?.text {
            let parts = Self.unescaped(sent).split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
            let head = (parts.first ?? "").split(whereSeparator: \.isNewline)
            let isRequest = head.first.map { startRequest($0, number) } ?? false
            if isRequest { for field in head.dropFirst() { readField(String(field), of: \.requestHeaders) } }
            if let form = isRequest ? parts.dropFirst().first : parts.first { addForm(form) }
        } else if let text = Self.text(of: line, after: [">"]) {
            if !startRequest(text[...], number) { readField(text, of: \.requestHeaders) }
        } else if let text = Self.text(of: line, after: ["<", "header:", "reply: '", "reply: \""]) {
            guard !text.allSatisfy(\.isWhitespace) else {
                startBody()
                return true
            }
            if !readStatus(text, number) { readField(text, of: \.responseHeaders) }
        } else if message == .marked || message == .responseBody, ["* ", "{ [", "} ["].contains(where: line.hasPrefix) {
            return true
        } else {
            if message == .marked { message = .none }
            return false
        }
        message = .marked
        return true
    }

    private static func text(of line: String, after marks: [String]) -> String? {
        marks.first { line == $0 || line.hasPrefix($0.hasPrefix("reply") ? $0 : $0 + " ") }.map { mark in
            line.dropFirst(mark.count).trimmingCharacters(in: .whitespaces)
        }
    }

    /// A line of a message without marks, which starts with `POST /token HTTP/1.1` or `HTTP/1.1 400 Bad Request`.
    private mutating func readMessage(_ line: String, _ number: Int) -> Bool {
        if readStatus(line, number) {
            message = .responseHeaders
            return true
        }
        if startRequest(line[...], number) {
            message = .requestHeaders
            return true
        }
        switch message {
        case .none, .marked: return false
        case .requestHeaders, .responseHeaders:
            if line.allSatisfy(\.isWhitespace) {
                if message == .requestHeaders { message = .requestBody } else { startBody() }
                return true
            }
            if readField(line, of: message == .requestHeaders ? \.requestHeaders : \.responseHeaders) { return true }
            message = .none
            return false
        case .requestBody:
            guard !line.allSatisfy(\.isWhitespace) else { return true }
            addForm(line)
            message = .none
            return true
        case .responseBody:
            let length = current?.body?.utf8.count ?? 0
            let isBody = length > 0 || line.first { !$0.isWhitespace }.map("{[<".contains) ?? true
            guard isBody, length < Exchange.mostBody else {
                message = .none
                return false
            }
            change { exchange in
                if exchange.body == nil { exchange.body = "" }
                exchange.body?.append(line + "\n")
            }
            if completion.isReached(with: line), current.map({ $0.isHTML || $0.json != nil }) ?? true {
                message = .none
            }
            return true
        }
    }

    private mutating func startBody() {
        message = .responseBody
        completion = BodyCompletion()
    }

    private mutating func startRequest(_ line: Substring, _ number: Int) -> Bool {
        guard let match = line.wholeMatch(of: LinePattern.requestLine.regex),
            match.version != nil || match.target.hasPrefix("/")
        else { return false }
        add(Exchange(number: number, method: String(match.method), target: match.target))
        return true
    }

    private mutating func readStatus(_ line: String, _ number: Int) -> Bool {
        guard let status = line.prefixMatch(of: LinePattern.statusLine.regex)?.status else { return false }
        if current?.isWaiting != true { append(Exchange(number: number, method: "", target: "")) }
        change { $0.status = Int(status) ?? 0 }
        return true
    }

    @discardableResult
    private mutating func readField(_ line: String, of side: WritableKeyPath<Exchange, HTTPHeaders>) -> Bool {
        guard let match = line.prefixMatch(of: LinePattern.field.regex) else { return false }
        let value = line[match.range.upperBound...].trimmingCharacters(in: .whitespaces)
        change { exchange in
            guard exchange[keyPath: side].fields.count < Self.mostFields else { return }
            exchange[keyPath: side].append(String(match.name), value)
            if match.name.lowercased() == "host", exchange.url.hasPrefix("/") {
                let isHere = Loopback.contains(value.prefix { $0 != ":" } + "")
                exchange.url = (isHere ? "http://" : "https://") + value + exchange.url
            }
        }
        return true
    }

    // MARK: Lines of logs

    /// A line of an HTTP library or of a server's access log: `"POST /token HTTP/1.1" 400`, with the server or the URL before.
    private mutating func readReport(_ line: String, _ number: Int) -> Bool {
        let found = LinePattern.reports.reduce(nil as Regex<AnyRegexOutput>.Match?) { found, report in
            found ?? (line.contains(report.mark) ? line.firstMatch(of: report.pattern.regex) : nil)
        }
        func text(_ name: String) -> Substring? { found?[name]?.substring }
        guard let url = text("url").map({ (text("server") ?? "") + $0 }) else {
            guard current?.isWaiting == true, let status = line.firstMatch(of: LinePattern.arrowReceived.regex)?.status
            else { return false }
            change { $0.status = Int(status) ?? 0 }
            return true
        }
        // Apple's description has no method.
        let isPost = url.hasSuffix("/token") || url.hasSuffix("/devicecode")
        let method = text("method").map(String.init) ?? (isPost ? "POST" : "GET")
        add(Exchange(number: number, method: method, target: url, status: text("status")))
        if let nextDate { change { $0.responseHeaders.append("Date", String(nextDate)) } }
        nextDate = nil
        return true
    }

    private mutating func readURL(_ line: String, _ number: Int) {
        guard line.contains("response_type") || line.contains("code=") || line.contains("error=") else { return }
        for url in line.urlsWithParameters {
            let exchange = Exchange(number: number, method: "GET", target: url)
            let isResponse =
                ["code", "error"].contains { exchange.parameters[$0] != nil }
                && (exchange.parameters["state"] != nil
                    || lastAuthorize.map { exchange.isResponse(to: exchanges[$0]) } ?? false)
            if exchange.ownRole == .authorize || isResponse { add(exchange) }
        }
    }

    private mutating func readForm(_ line: String, _ number: Int) {
        guard let parameters = Self.form(in: line) else { return }
        // What a program logs after the response belongs to the request before.
        if line.contains(" was "), current?.ownRole == .token { return }
        if let current, current.isWaiting, current.method == "POST" {
            if current.parameters == parameters { return }
            if current.parameters.isEmpty { return set(parameters) }
        }
        var exchange = Exchange(number: number, method: "POST", target: "")
        exchange.parameters = parameters
        add(exchange)
    }

    private static func form(in line: String) -> Parameters? {
        guard line.contains("grant_type") else { return nil }
        if let pairs = pairs(in: line) { return Parameters(formEncoded: pairs) }
        return members(in: line, with: ["grant_type"]).map { members in
            var parameters = Parameters()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if let text = value.string { parameters.append(name, text) }
            }
            return parameters
        }
    }

    /// A form in a line: words joined by `&` or blanks.
    static func pairs(in line: String) -> String? {
        let words = line.split { $0.isWhitespace || $0 == "\"" || $0 == "'" }
        guard let place = words.firstIndex(where: { $0.contains("grant_type=") && !$0.hasSuffix("grant_type=") }) else {
            return nil
        }
        func isPair(_ word: Substring) -> Bool { word.prefixMatch(of: LinePattern.pair.regex) != nil }
        // What precedes the first name, such as a URL.
        let first = words[place].prefix { $0 != "=" }
        let name = first.lastIndex { $0 != "_" && !$0.isLetter }.map(first.index(after:)) ?? first.startIndex
        return
            (words[..<place].reversed().prefix(while: isPair).reversed() + [words[place][name...]]
            + words[(place + 1)...].prefix(while: isPair)).joined(separator: "&")
    }

    /// Of the last response.
    private mutating func readOutcome(_ line: String) {
        let logged = line.firstMatch(of: LinePattern.loggedDate.regex)?.date
        nextDate = logged ?? nextDate
        // A URL alone has no response here.
        guard let current, current.method == "POST" || current.status != 0 else { return }
        if current.status == 0, let status = line.firstMatch(of: LinePattern.status.regex)?.code {
            change { $0.status = Int(status) ?? 0 }
        }
        if logged == nil, current.responseHeaders["Date"] == nil,
            let date = line.firstMatch(of: LinePattern.date.regex)?.date
        {
            change { $0.responseHeaders.append("Date", String(date)) }
        }
        if let members = Self.members(in: line, with: ["error", "access_token", "device_code", "token_endpoint"]) {
            change { if $0.body == nil { $0.body = JSONValue.object(members).serialized } }
        }
    }

    // MARK: One request in several lines

    /// Adds a request, or completes the one that a line above has in another form.
    private mutating func add(_ exchange: Exchange) {
        let isNew = tag.map { tagged[$0] == nil && !tagged.isEmpty } ?? false
        let isCompletion = !isNew && exchanges.last.map(exchange.completes) ?? false
        index = isCompletion ? exchanges.indices.last : exchange.identity.flatMap { reported[$0] }
        guard index != nil else { return append(exchange) }
        change { known in
            if exchange.status != 0 { known.status = exchange.status }
            if exchange.url.contains("://") || known.url.isEmpty { known.url = exchange.url }
        }
        note()
    }

    private mutating func append(_ exchange: Exchange) {
        index = exchanges.endIndex
        exchanges.append(exchange)
        note()
        if let tag { tagged[tag] = index }
        if let nextToken { change { $0.requestHeaders.append("Authorization", "Bearer \(nextToken)") } }
        nextToken = nil
    }

    private mutating func addForm(_ text: String) {
        guard text.contains("=") else { return }
        let parameters = Parameters(formEncoded: text.trimmingCharacters(in: .whitespacesAndNewlines))
        if current?.parameters.isEmpty == true { set(parameters) }
    }

    private var current: Exchange? { index.map { exchanges[$0] } }

    private mutating func change(_ change: (inout Exchange) -> Void) { if let index { change(&exchanges[index]) } }

    /// They belong to the request's identity.
    private mutating func set(_ parameters: Parameters) {
        change { $0.parameters = parameters }
        note()
    }

    private mutating func note() {
        guard let index else { return }
        if exchanges[index].ownRole == .authorize { lastAuthorize = max(lastAuthorize ?? 0, index) }
        if let identity = exchanges[index].identity { reported[identity] = max(reported[identity] ?? 0, index) }
    }
}

extension RequestText {
    /// A literal of Python's `bytes`.
    static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\r", with: "\r").replacing("\\n", with: "\n").replacing("\\'", with: "'")
            .replacing("\\\\", with: "\\")
    }

    /// The first object with one of the members, as JSON or as Python prints a dictionary.
    static func members(in line: String, with names: [String]) -> [String: JSONValue]? {
        guard names.contains(where: line.contains) else { return nil }
        for start in line.indices.filter({ line[$0] == "{" }).prefix(8) {
            let text = String(BodyCompletion.object(line[start...]))
            let python = text.replacing("'", with: "\"").replacing("None", with: "null").replacing("True", with: "true")
            for candidate in [text, python] {
                let members = (try? JSONValue(parsing: candidate))?.object
                if let members, names.contains(where: { members[$0] != nil }) { return members }
            }
        }
        return nil
    }

    /// Without a zone as UTC.
    static func time(_ line: String) -> (time: Date, hasZone: Bool)? {
        guard let match = line.prefix(60).firstMatch(of: LinePattern.time.regex),
            let time = try? Date("\(match.day)T\(match.time)\(match.zone ?? "Z")", strategy: .iso8601)
        else { return nil }
        return (time, match.zone != nil)
    }
}

extension Exchange {
    init(number: Int, method: String, target: some StringProtocol, status: Substring? = nil) {
        self.init(number: number, method: method, url: String(target), status: status.flatMap { Int($0) } ?? 0)
        parameters = Parameters(queryAndFragmentOf: url)
        mayLackResponse = true
    }

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
