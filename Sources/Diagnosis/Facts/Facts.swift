import Foundation
import OAuthCore

/// The values of a text by role, in whatever form they are written, and what its sentences say about them.
struct Facts: Sendable {
    private(set) var all: [RoleFact] = []
    private(set) var contradictions: [Contradiction] = []
    /// Lines that complain about a value of the role, the last of each.
    private(set) var complaints: [ValueRole: Int] = [:]
    /// The last lines that reject something because of such a value, perhaps.
    private(set) var symptoms: [ValueRole: Int] = [:]
    private(set) var times = TokenTimes()
    private(set) var namesProxy = false
    private(set) var cookieIsSecure: Int?

    /// The list whose items stand in the next lines.
    private var list: (role: ValueRole, owner: RoleFact.Owner)?
    /// The start of a sentence that the next line continues.
    private var sentence: String?
    private var isMetadata = false
    /// The options of Kubernetes' API server and of its clients, which have the same names, and the lines that say whose they are.
    private var options: [(fact: Int, line: Int)] = []
    private var parties: [(line: Int, isServer: Bool)] = []

    private static let marked = MarkedLines(
        scanner: TextScanner(Vocabulary.spellings(of: words("marks")) + words("exactMarks")), most: 2_000)

    /// Words by which values and what is said of them are found, of `values` in `Resources/causes.json`.
    static func words(_ path: String...) -> [String] {
        path.reduce(KnownCause.values as JSONValue?) { $0?[$1] }?.strings ?? []
    }

    init() {}

    init(_ bytes: [UInt8]) {
        Self.marked.read(bytes) { line, number in
            read(Self.plain(line), number)
            return list != nil || sentence != nil || manifest != nil
        }
        list = nil
        assignOptions()
    }

    /// The values in the messages of a recording: what was sent, the provider's metadata, and the texts of errors.
    init(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            let role = exchange.ownRole
            if role == .authorize, let uri = exchange.parameters["redirect_uri"], ValueRole.redirectURI.accepts(uri) {
                add(.redirectURI, .sent, uri, exchange.number)
            }
            guard role == .discovery || exchange.status >= 400, let body = exchange.body, !exchange.isHTML else {
                continue
            }
            for line in body.split(whereSeparator: \.isNewline).prefix(Self.mostOfBody) {
                read(Self.plain(String(line)), exchange.number)
            }
            (list, sentence, manifest) = (nil, nil, nil)
        }
    }

    private static let mostOfBody = 100

    func values(_ role: ValueRole, _ owners: Set<RoleFact.Owner>) -> [RoleFact] {
        all.filter { $0.role == role && owners.contains($0.owner) }
    }

    /// Without the escapes of JSON and the marks of quoted mail.
    private static func plain(_ line: String) -> String {
        var text = String(decoding: Array(line.utf8).prefix(longest), as: UTF8.self)
        if text.utf8.contains(where: { "\\&".utf8.contains($0) }) {
            for (escape, sign) in escapes { text = text.replacing(escape, with: sign) }
        }
        // A condition on a value isn't one on the sentence.
        text = text.replacing("\" value=\"", with: "\"=\"").replacing(" if provided", with: "")
        return text.hasPrefix("> ") ? String(text.dropFirst(2)) : text
    }

    private static let escapes = [("\\\"", "\""), ("\\/", "/"), ("\\u0026", "&"), ("&quot;", "\""), ("&amp;", "&")]
    private static let longest = 4 * 1024

    private mutating func read(_ line: String, _ number: Int) {
        let words = LineWords(line)
        if manifest != nil || words.has(.manifest) { readManifest(line, number) }
        if let list, let item = Self.item(line) {
            if list.role.accepts(item) { add(list.role, list.owner, item, number) }
            return
        }
        list = nil
        isMetadata = isMetadata || words.has(.metadata)
        namesProxy = namesProxy || words.has(.proxy)
        if words.has(.server) || words.has(.client) { parties.append((number, words.has(.server))) }
        if words.isComplaint { for role in words.roles { complaints[role] = number } }
        if !words.has(.excuse) {
            for role in words.symptoms { symptoms[role] = number }
            if words.has(.token), words.isComplaint || words.symptoms.contains(.issuer) {
                if let (date, hasZone) = RequestText.time(line) { times.rejection = (date, hasZone, number) }
            }
        }
        let isContinued = line.first.map { $0.isLowercase || " \t\"'".contains($0) } ?? false
        let joined = isContinued ? sentence.map { "\($0) \(line)" } : nil
        sentence = nil
        if words.has(.contrast) || joined != nil,
            let found = joined.flatMap({ Contradiction($0, number) }) ?? Contradiction(line, number)
        {
            contradictions.append(found)
            return
        }
        if words.isComplaint {
            readComplaint(joined ?? line, number)
            if joined == nil, line.utf8.count > 50 { sentence = line }
        } else if words.has(.registered), !words.has(.negation) {
            // A person's own words.
            for (_, value) in Contradiction.units(line) where value.contains("://") {
                add(.redirectURI, .registered, value, number)
            }
        }
        if words.roles.contains(.state), line.contains(#/(?i)secure(\([a-z]+\))?\s*[:=]\s*true/#) {
            cookieIsSecure = number
        }
        if words.has(.listening) {
            for (_, value) in Contradiction.units(line) where URL(string: value)?.isLoopback == true {
                add(.redirectURI, .listening, value, number)
            }
        }
        for pair in WrittenPair.all(in: line) { readPair(pair, number, of: line) }
        if line.contains("eyJ") { readClaims(line, number) }
        if line.contains("<key>CFBundleURLSchemes<") { list = (.redirectURI, .served) }
    }

    private static let token = Pattern(#/eyJ[\w\-]+\.eyJ[\w\-]+\.[\w\-]*/#)

    private mutating func readClaims(_ line: String, _ number: Int) {
        for text in line.matches(of: Self.token.regex).prefix(3) {
            for (name, claim) in (try? JWT(parsing: String(text.output)))?.payload ?? [:] {
                times.note(name, claim.integer.map(String.init) ?? "", number)
                guard let (role, owner) = ValueRole.of(name), owner != .configured else { continue }
                for value in claim.strings ?? [claim.string].compactMap(\.self) where role.accepts(value) {
                    add(role, owner, value, number)
                }
            }
        }
    }

    private mutating func readPair(_ pair: WrittenPair, _ number: Int, of line: String) {
        times.note(pair.name, pair.values.first ?? "", number)
        if pair.isParameter, pair.name == "region" {
            for value in pair.values where ValueRole.region.accepts(value) { add(.region, .received, value, number) }
        }
        if pair.name == "url", line.trimmingCharacters(in: .whitespaces).hasPrefix("url: http") {
            // The whole address of an application. An address of one of its pages says less.
            let site = pair.values.first ?? ""
            guard let url = URL(string: site), url.pathSegments.isEmpty, !Self.isOfProvider(site) else { return }
            return add(.address, .configured, site, number)
        }
        guard let (role, named) = ValueRole.of(pair.name) else { return }
        // A condition on a claim, such as `provider:sub`.
        let isCondition = named == .token && line.contains(":\(pair.name)\"")
        let owner: RoleFact.Owner =
            isCondition
            ? role == .subject ? .registered : .configured
            : pair.isParameter && named != .opened ? role == .issuer ? .received : .sent : named
        let count = all.count
        defer {
            let isOption = pair.name.hasSuffix("oidc-issuer-url") || pair.name.hasSuffix("oidc-client-id")
            if isOption, all.count > count { options.append((count, number)) }
        }
        // A list below the name.
        if pair.values.isEmpty {
            list = (role, owner)
            return
        }
        for value in pair.values where role.accepts(value) { add(role, owner, value, number) }
    }

    private mutating func readComplaint(_ text: String, _ number: Int) {
        for (label, value) in Contradiction.units(text) {
            guard let role = ValueRole.named(in: label), role.accepts(value), role != .state, role != .nonce else {
                continue
            }
            add(
                role, RoleFact.Owner(saidBy: label, of: role) ?? (role == .redirectURI ? .sent : .received), value,
                number)
        }
    }

    /// Gives the options of an API server, which the nearest line names, to it. Its client ID is the audience that it demands.
    private mutating func assignOptions() {
        for (index, line) in options {
            let fact = all[index]
            guard parties.min(by: { abs($0.line - line) < abs($1.line - line) })?.isServer == true else { continue }
            all[index] = RoleFact(role: fact.role, owner: .demanded, value: fact.value, line: line)
            if fact.role == .clientID { add(.audience, .demanded, fact.value, line) }
        }
    }

    private mutating func add(_ role: ValueRole, _ owner: RoleFact.Owner, _ value: String, _ line: Int) {
        let isOfMetadata = role == .issuer && owner == .configured && isMetadata
        // The host in an API's identifier is that of its pages; others don't name the application's.
        if role == .audience, value.hasPrefix("api://"), URL(string: value)?.host?.contains(".") == true {
            add(.address, .registered, value, line)
        }
        if role == .address, owner == .opened, Self.isOfProvider(value) { return }
        let fact = RoleFact(role: role, owner: isOfMetadata ? .metadata : owner, value: value, line: line)
        if all.count < Self.mostFacts,
            !all.contains(where: { ($0.role, $0.owner, $0.value) == (fact.role, fact.owner, value) })
        {
            all.append(fact)
        }
    }

    private static let mostFacts = 200

    private static func isOfProvider(_ text: String) -> Bool {
        let url = URL(string: text)
        return url?.microsoftService != nil || url?.host == "accounts.google.com"
    }

    /// An item of a list in YAML, JSON, a property list or a mail: a word or URL alone.
    private static func item(_ line: String) -> String? {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("<array") { return "" }
        if let match = text.wholeMatch(of: #/<string>(.*)<\/string>/#) {
            return String(match.1) + (match.1.contains(":") ? "" : "://")
        }
        let bare = text.trimmingCharacters(in: .init(charactersIn: "-*•, "))
        let word = bare.trimmingCharacters(in: .init(charactersIn: "\"'`"))
        return word.isEmpty || word.contains(where: \.isWhitespace) || !word.contains(":/") ? nil : word
    }

    // MARK: Android

    /// The attributes of an intent filter that were read so far.
    private var manifest: [String: String]?

    /// `<data android:scheme="…" android:host="…" android:path="…">`, on one line or several.
    private mutating func readManifest(_ line: String, _ number: Int) {
        let isStart = ["BrowserTabActivity", "RedirectUriReceiverActivity", "AuthTabActivity"].contains(
            where: line.contains)
        if isStart { manifest = [:] }
        for match in line.matches(of: #/android:(scheme|host|path|pathPrefix)="([^"]*)"/#) where manifest != nil {
            manifest?[String(match.1)] = String(match.2)
        }
        guard line.contains("</intent-filter>") || line.contains("</activity>"), let data = manifest else { return }
        manifest = nil
        guard let scheme = data["scheme"] else { return }
        let path = data["path"] ?? data["pathPrefix"] ?? ""
        add(.redirectURI, .served, "\(scheme)://\(data["host"] ?? "")\(path)", number)
    }
}

/// Found in one pass.
struct LineWords {
    /// The raw values are those of `Resources/causes.json`.
    enum Meaning: String, CaseIterable {
        case complaint
        /// It's advice, source code or a success.
        case excuse
        case contrast
        case registered, negation, proxy, metadata, manifest, listening, token
        /// Options of Kubernetes' API server, and of its clients.
        case server, client
    }

    private var meanings: Set<Meaning> = []
    private var named: Set<ValueRole> = []
    /// The roles of which a rejected value can lead to what the line says.
    private(set) var symptoms: Set<ValueRole> = []

    init(_ line: String) {
        // The line begins like a word. Addresses have no comments, and the hosts of a copy end with .invalid.
        let text = " " + line.lowercased().replacing("://", with: ":").replacing(".invalid", with: "")
        _ = Self.scanner.scan(Array(text.utf8)) { index, _, _ in
            switch Self.rows[index].1 {
            case .meaning(let meaning): meanings.insert(meaning)
            case .role(let role): named.insert(role)
            case .symptom(let role): symptoms.insert(role)
            }
        }
    }

    func has(_ meaning: Meaning) -> Bool { meanings.contains(meaning) }
    var isComplaint: Bool { has(.complaint) && !has(.excuse) }
    var roles: [ValueRole] { ValueRole.allCases.filter(named.contains) }

    private enum Word { case meaning(Meaning), role(ValueRole), symptom(ValueRole) }

    private static let rows: [(String, Word)] =
        Meaning.allCases.flatMap { meaning in
            Facts.words("lines", meaning.rawValue).map { ($0, Word.meaning(meaning)) }
        }
        + ValueRole.allCases.flatMap { role in
            role.words.map { ($0, Word.role(role)) } + role.symptoms.map { ($0, Word.symptom(role)) }
        }

    private static let scanner = TextScanner(rows.map(\.0))
}

/// The times of the token in a text, and that at which a program rejected it.
struct TokenTimes: Sendable {
    private typealias Moment = (date: Date, line: Int)
    private var claimed: [String: [Moment]] = [:]
    var rejection: (date: Date, hasZone: Bool, line: Int)?

    mutating func note(_ claim: String, _ value: String, _ line: Int) {
        guard ["exp", "nbf", "iat"].contains(claim), value.count == 10, let seconds = Double(value) else { return }
        claimed[claim, default: []].append((Date(timeIntervalSince1970: seconds), line))
    }

    /// How far a time without a zone can be from UTC.
    private static let widestZone = 14.0 * 3600

    /// A token whose time was over, or hadn't begun. Of several tokens, nobody knows which was rejected.
    static let rule = CauseRules.Rule(nil, .observed) { evidence in
        let times = evidence.facts.times
        guard let rejected = times.rejection, !evidence.succeeds(after: rejected.line) else { return nil }
        func only(_ claim: String) -> Moment? {
            let moments = times.claimed[claim] ?? []
            return Set(moments.map(\.date)).count == 1 ? moments.first : nil
        }
        let slack = rejected.hasZone ? 0 : widestZone
        let end = only("exp").flatMap { $0.date + slack < rejected.date ? $0 : nil }
        let start = [only("nbf"), only("iat")].compactMap(\.self).first { $0.date - slack > rejected.date }
        guard let moment = end ?? start,
            var cause = KnownCause.named(end == nil ? "token-not-valid-yet" : "token-expired")?.cause(
                evidence,
                [.time(end == nil ? "Valid from" : "Expires", moment.date), .time("Rejected", rejected.date)],
                at: moment.line)
        else { return nil }
        cause.positions.append(rejected.line)
        return cause
    }
}
