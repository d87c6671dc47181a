import Foundation
import OAuthCore

/// Requests and responses in a text: messages as curl, http.client and proxies print them, lines of HTTP libraries and of a
/// server's access log, and the URLs, forms and JSON that programs log.
///
/// A program often logs a request in several of these forms. Each request is listed once.
struct RequestText {
    private(set) var exchanges: [Exchange] = []

    /// The message that the next lines belong to.
    private enum Message: Equatable {
        case none, requestHeaders, requestBody, responseHeaders, responseBody
        /// The lines of the message carry the marks of curl or http.client.
        case marked
    }

    private var message = Message.none
    /// The position of the latest request.
    private var index: Int?
    /// The `Date` that httpcore logs before httpx logs the request.
    private var nextDate: Substring?
    /// The token that a program logs before its request.
    private var nextToken: Substring?
    /// The latest requests by the tags of their lines, because requests at the same time have mixed lines.
    private var tagged: [Substring: Int] = [:]
    private var tag: Substring?

    /// Lines with one of these are read, and the lines of a message that follow them.
    private static let marks = [
        "HTTP/", "grant_type", "response_type", "code=", "error=", "\"error\"", "'error'", "access_token",
        "device_code", "send: b", "{ URL: ", "reply: ", "header: ", "earer eyJ", "ith status ", "tatus code",
        "tatus_code", "'Date'", "'date'", "Date=", "token_endpoint", "eyJ", "> ", "< ", "<-- ",
    ]
    private static let scanner = TextScanner(marks)
    private static let mostLines = 20_000
    private static let mostExchanges = 1000
    /// Longer lines contain data that isn't a message.
    private static let longestLine = 64 * 1024

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
        var marked: [Int] = []
        _ = Self.scanner.scan(bytes) { _, _, line in
            if marked.last != line, marked.count < Self.mostLines { marked.append(line) }
        }
        guard var next = marked.first else { return }
        var (number, start, read) = (0, 0, 0)
        var rest = marked[...]
        while start <= bytes.endIndex, exchanges.count < Self.mostExchanges, read < Self.mostLines {
            number += 1
            let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            if number == next || message != .none {
                let line = String(decoding: bytes[start..<newline].prefix(Self.longestLine), as: UTF8.self)
                self.read(line.hasSuffix("\r") ? String(line.dropLast()) : line, number)
                read += 1
            }
            if number >= next {
                rest = rest.drop { $0 <= number }
                next = rest.first ?? .max
            }
            if next == .max, message == .none { break }
            start = newline + 1
        }
    }

    private mutating func read(_ line: String, _ number: Int) {
        tag = line.firstMatch(of: #/\[(?<tag>[0-9a-f-]{4,36})\]/#)?.tag
        if let tag { index = tagged[tag] ?? index }
        if readMarked(line, number) || readMessage(line, number) { return }
        let known = (exchanges.count, current?.status, current?.date)
        if !readAccess(line, number) { readURL(line, number) }
        readForm(line, number)
        readOutcome(line)
        if let token = line.firstMatch(of: #/(?:\bBearer |^)(?<token>eyJ[\w.\-]+)/#)?.token { nextToken = token }
        // The time counts only for what this line reports.
        if known != (exchanges.count, current?.status, current?.date), let (time, hasZone) = Self.time(line) {
            change { ($0.time, $0.hasLocalTime) = (time, !hasZone) }
        }
    }

    // MARK: Messages

    /// A line with the mark of curl (`>`, `<`, `*`) or of Python's http.client (`send:`, `reply:`, `header:`).
    private mutating func readMarked(_ line: String, _ number: Int) -> Bool {
        if let sent = line.firstMatch(of: #/^send: b(?<quote>['"])(?<text>.*)\k<quote>$/#)?.text {
            let parts = Self.unescaped(sent).split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
            let head = parts.first ?? ""
            if startRequest(head.prefix { !$0.isNewline }, number) {
                for field in head.split(whereSeparator: \.isNewline).dropFirst() { readRequestField(String(field)) }
                if parts.count > 1 { addForm(parts[1]) }
            } else {
                addForm(head)
            }
            message = .marked
        } else if let status = line.prefixMatch(of: #/reply: ['"]HTTP\/[0-9.]+ (?<status>[1-5][0-9]{2})/#)?.status {
            setStatus(status, number)
            message = .marked
        } else if let field = line.prefixMatch(of: #/header: (?<text>.+)/#)?.text {
            readResponseField(String(field))
        } else if line.hasPrefix("> ") || line == ">" {
            let text = String(line.dropFirst(2))
            if !startRequest(text[...], number) { readRequestField(text) }
            message = .marked
        } else if line.hasPrefix("< ") || line == "<" {
            let text = String(line.dropFirst(2))
            if let status = Self.status(of: text) {
                setStatus(status, number)
            } else if text.allSatisfy(\.isWhitespace) {
                message = .responseBody
                return true
            } else {
                readResponseField(text)
            }
            message = .marked
        } else if message == .marked || message == .responseBody,
            ["* ", "{ [", "} ["].contains(where: line.hasPrefix)
        {
            return true
        } else {
            if message == .marked { message = .none }
            return false
        }
        return true
    }

    /// A line of a message without marks, which starts with `POST /token HTTP/1.1` or `HTTP/1.1 400 Bad Request`.
    private mutating func readMessage(_ line: String, _ number: Int) -> Bool {
        if let status = Self.status(of: line) {
            setStatus(status, number)
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
                message = message == .requestHeaders ? .requestBody : .responseBody
                return true
            }
            guard line.prefixMatch(of: #/[A-Za-z0-9-]+:/#) != nil else {
                message = .none
                return false
            }
            if message == .requestHeaders { readRequestField(line) } else { readResponseField(line) }
            return true
        case .requestBody:
            guard !line.allSatisfy(\.isWhitespace) else { return true }
            addForm(line)
            message = .none
            return true
        case .responseBody:
            let body = current?.body ?? ""
            let isBody = !body.isEmpty || line.first { !$0.isWhitespace }.map("{[<".contains) ?? true
            guard isBody, body.utf8.count < Exchange.mostBody else {
                message = .none
                return false
            }
            change { $0.body = body + line + "\n" }
            if current?.isBodyComplete ?? true { message = .none }
            return true
        }
    }

    /// Starts a request with a line such as `POST /token HTTP/1.1`.
    private mutating func startRequest(_ line: Substring, _ number: Int) -> Bool {
        // People who copy a request by hand leave the version out.
        guard
            let match = line.wholeMatch(
                of: #/(?<method>[A-Z]{3,7}) (?<target>\S+?)(?<version> HTTP\/[0-9.]+)?\s*/#),
            match.version != nil || match.target.hasPrefix("/")
        else { return false }
        add(Exchange(number: number, method: String(match.method), target: match.target))
        return true
    }

    private static func status(of line: String) -> Substring? {
        line.prefixMatch(of: #/HTTP\/[0-9.]+ (?<status>[1-5][0-9]{2})\b/#)?.status
    }

    private mutating func readRequestField(_ line: String) {
        guard let (name, value) = Self.field(line) else { return }
        change { exchange in
            exchange.requestHeaders.append(name, value)
            if name.lowercased() == "host", exchange.url.hasPrefix("/") {
                exchange.url =
                    (Loopback.contains(value.prefix { $0 != ":" } + "") ? "http://" : "https://") + value + exchange.url
            }
        }
    }

    private mutating func readResponseField(_ line: String) {
        guard let (name, value) = Self.field(line) else { return }
        change { $0.responseHeaders.append(name, value) }
    }

    private static func field(_ line: String) -> (name: String, value: String)? {
        line.wholeMatch(of: #/(?<name>[A-Za-z0-9-]+):\s*(?<value>.*?)\s*/#).map { (String($0.name), String($0.value)) }
    }

    /// The text of a literal of Python's `bytes`.
    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\r", with: "\r").replacing("\\n", with: "\n").replacing("\\'", with: "'")
            .replacing("\\\\", with: "\\")
    }

    // MARK: Lines of logs

    /// A line of an HTTP library or of a server's access log: `"POST /token HTTP/1.1" 400`, with the server or the URL before.
    private mutating func readAccess(_ line: String, _ number: Int) -> Bool {
        // Apple's description of a request or response.
        if let match = line.firstMatch(
            of: #/\{ URL: (?<url>https?:\/\/\S+) \}(?:.*\{ Status Code: (?<status>[1-5][0-9]{2}))?/#)
        {
            let method = match.url.hasSuffix("/token") || match.url.hasSuffix("/devicecode") ? "POST" : "GET"
            add(Exchange(number: number, method: method, target: match.url, status: match.status))
            return true
        }
        if let match = line.firstMatch(of: #/[ \]]-*> (?<method>[A-Z]{3,7}) (?<url>https?:\/\/\S+)/#) {
            add(Exchange(number: number, method: String(match.method), target: match.url))
            return true
        }
        if let status = line.firstMatch(of: #/[ \]]<-* (?<status>[1-5][0-9]{2}) /#)?.status, current?.isWaiting == true
        {
            change { $0.status = Int(status) ?? 0 }
            return true
        }
        guard line.contains("HTTP/") else { return false }
        if let match = line.firstMatch(
            of:
                #/(?:(?<server>https?:\/\/[^ "\/]+) )?"(?<method>[A-Z]{3,7}) (?<path>[^ "]+) HTTP\/[0-9.]+"(?: (?<status>[1-5][0-9]{2})\b)?/#
        ) {
            let target = (match.server ?? "") + match.path
            add(Exchange(number: number, method: String(match.method), target: target, status: match.status))
            return true
        }
        guard
            let match = line.firstMatch(
                of: #/(?<method>[A-Z]{3,7}) (?<url>https?:\/\/\S+) "HTTP\/[0-9.]+ (?<status>[1-5][0-9]{2})/#)
        else { return false }
        add(Exchange(number: number, method: String(match.method), target: match.url, status: match.status))
        if let nextDate { change { $0.responseHeaders.append("Date", String(nextDate)) } }
        nextDate = nil
        return true
    }

    /// The URL of an authorization request or response.
    private mutating func readURL(_ line: String, _ number: Int) {
        guard line.contains("response_type") || line.contains("code=") || line.contains("error=") else { return }
        for match in line.matches(of: #/[A-Za-z][A-Za-z0-9+.-]*:\/[^\s"'<>`]*[?#][^\s"'<>`\\)\]}…]+/#) {
            let exchange = Exchange(number: number, method: "GET", target: match.output)
            let isResponse =
                ["code", "error"].contains { exchange.parameters[$0] != nil }
                && exchange.parameters["state"] != nil
            if exchange.ownRole == .authorize || isResponse { add(exchange) }
        }
    }

    /// The form of a token request, without its message.
    private mutating func readForm(_ line: String, _ number: Int) {
        guard let parameters = Self.form(in: line) else { return }
        // What a program logs after the response belongs to the request before.
        if line.contains(" was "), current?.ownRole == .token { return }
        if let current, current.isWaiting, current.method == "POST" {
            if current.parameters == parameters { return }
            if current.parameters.isEmpty { return change { $0.parameters = parameters } }
        }
        var exchange = Exchange(number: number, method: "POST", target: "")
        exchange.parameters = parameters
        add(exchange)
    }

    private static func form(in line: String) -> Parameters? {
        guard line.contains("grant_type") else { return nil }
        if let form = line.firstMatch(
            of: #/(?:[A-Za-z_]+=[^\s&"']*[& ])*grant_type=[^\s"']+(?: [A-Za-z_]+=[^\s"']+)*/#)?.output
        {
            return Parameters(formEncoded: form.replacing(" ", with: "&"))
        }
        return members(in: line, with: ["grant_type"]).map { members in
            var parameters = Parameters()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if let text = value.string { parameters.append(name, text) }
            }
            return parameters
        }
    }

    /// The status, the time and the JSON of the last response.
    private mutating func readOutcome(_ line: String) {
        // A URL alone has no response here.
        guard let current, current.method == "POST" || current.status != 0 else {
            nextDate = Self.loggedDate(line) ?? nextDate
            return
        }
        if current.status == 0,
            let status = line.firstMatch(of: #/(?i)\bstatus(?:[ _]code)?['"]?[ =:]+(?<code>[1-5][0-9]{2})\b/#)?.code
        {
            change { $0.status = Int(status) ?? 0 }
        }
        if let date = Self.loggedDate(line) {
            nextDate = date
        } else if current.responseHeaders["Date"] == nil,
            let date = line.firstMatch(
                of: #/(?i)\bdate['"]?[:=] ?['"]?(?<date>[A-Z]{3}, [0-9]{2} [A-Z]{3} [0-9]{4} [0-9:]{8} GMT)/#)?.date
        {
            change { $0.responseHeaders.append("Date", String(date)) }
        }
        if let members = Self.members(in: line, with: ["error", "access_token", "device_code", "token_endpoint"]) {
            change { if $0.body == nil { $0.body = JSONValue.object(members).serialized } }
        }
    }

    /// The `Date` of a response in a line of httpcore.
    private static func loggedDate(_ line: String) -> Substring? {
        line.firstMatch(of: #/\(b'[Dd]ate', b'(?<date>[^']+)'\)/#)?.date
    }

    /// The first object with one of the members, as JSON or as Python prints a dictionary.
    private static func members(in line: String, with names: [String]) -> [String: JSONValue]? {
        guard names.contains(where: line.contains) else { return nil }
        for start in line.indices.filter({ line[$0] == "{" }).prefix(8) {
            let text = String(line[start...].prefixInBraces)
            let python = text.replacing("'", with: "\"").replacing("None", with: "null").replacing("True", with: "true")
            for candidate in [text, python] {
                let members = (try? JSONValue(parsing: candidate))?.object
                if let members, names.contains(where: { members[$0] != nil }) { return members }
            }
        }
        return nil
    }

    /// The time at the start of a line, without a zone as UTC.
    private static func time(_ line: String) -> (time: Date, hasZone: Bool)? {
        guard
            let match = line.prefix(60).firstMatch(
                of:
                    #/(?<day>20[0-9]{2}-[0-9]{2}-[0-9]{2})[T ](?<time>[0-9]{2}:[0-9]{2}:[0-9]{2})(?:[.,][0-9]+)?(?<zone>Z|[+-][0-9]{2}:?[0-9]{2})?/#
            ), let time = try? Date("\(match.day)T\(match.time)\(match.zone ?? "Z")", strategy: .iso8601)
        else { return nil }
        return (time, match.zone != nil)
    }

    // MARK: One request in several lines

    /// Adds a request, or completes the one that a line above has in another form.
    private mutating func add(_ exchange: Exchange) {
        let isNew = tag.map { tagged[$0] == nil && !tagged.isEmpty } ?? false
        let isCompletion = !isNew && exchanges.last.map(exchange.completes) ?? false
        index = isCompletion ? exchanges.indices.last : exchanges.lastIndex { $0.isSameRequest(as: exchange) }
        guard index != nil else { return append(exchange) }
        change { known in
            if exchange.status != 0 { known.status = exchange.status }
            if exchange.url.contains("://") || known.url.isEmpty { known.url = exchange.url }
        }
    }

    private mutating func append(_ exchange: Exchange) {
        index = exchanges.endIndex
        exchanges.append(exchange)
        if let tag { tagged[tag] = index }
        if let nextToken { change { $0.requestHeaders.append("Authorization", "Bearer \(nextToken)") } }
        nextToken = nil
    }

    private mutating func addForm(_ text: String) {
        guard text.contains("=") else { return }
        let parameters = Parameters(formEncoded: text.trimmingCharacters(in: .whitespacesAndNewlines))
        change { if $0.parameters.isEmpty { $0.parameters = parameters } }
    }

    private mutating func setStatus(_ status: Substring, _ number: Int) {
        if current?.isWaiting != true {
            append(Exchange(number: number, method: "", target: ""))
        }
        change { $0.status = Int(status) ?? 0 }
    }

    /// The request of the latest line.
    private var current: Exchange? { index.map { exchanges[$0] } }

    private mutating func change(_ change: (inout Exchange) -> Void) {
        if let index { change(&exchanges[index]) }
    }
}
