import Foundation

/// The binary encoding of digests: the marks of all identifiers and usernames, the texts and lists of authorities that
/// many digests share, then the digests, which refer to them by number.
///
/// A text is its length and its UTF-8. A number has seven bits per byte, lowest first; the eighth bit marks that more
/// bytes follow.
extension AccountDigest {
    /// Increment this whenever the encoding or the content of digests changes.
    private static let version = 6

    /// The form of a client's digests.
    ///
    /// - Parameter name: omits the digests of most accounts without this identifier or username, which makes a search
    ///   fast.
    package static func form(client: String, naming name: String? = nil) -> DigestForm<AccountDigest> {
        let mark = name.flatMap(mark(of:))
        return DigestForm(
            name: "accounts \(version) \(client)", make: { AccountDigest($0, client: client) },
            standIn: { standIn(for: $0, $1) }, encode: bytes(of:),
            decode: { try? digests(in: $0, naming: mark) })
    }

    /// A number for a name in either case. `nil` for one with other characters than ASCII, which can have several
    /// equivalent spellings.
    private static func mark(of name: String) -> UInt64? {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        // FNV-1a. The marks are encrypted, and a collision only decodes a chunk without need.
        return name.lowercased().utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The mark of every name without its own, which any search takes for a match.
    private static let markOfOthers: UInt64 = 0

    fileprivate struct Flags: OptionSet {
        var rawValue: UInt8

        static let signedIn = Flags(rawValue: 1)
        static let signedOut = Flags(rawValue: 2)
        static let tokens = Flags(rawValue: 4)
        static let expiry = Flags(rawValue: 8)
        static let renewable = Flags(rawValue: 16)
        static let otherApplication = Flags(rawValue: 32)
        static let person = Flags(rawValue: 64)
        static let authorities = Flags(rawValue: 128)
    }

    fileprivate struct PersonFlags: OptionSet {
        var rawValue: UInt8

        static let username = PersonFlags(rawValue: 1)
        static let name = PersonFlags(rawValue: 2)
        static let otherUsernames = PersonFlags(rawValue: 4)
    }

    fileprivate struct ProfileFlags: OptionSet {
        var rawValue: UInt8

        static let localAccountID = ProfileFlags(rawValue: 1)
        static let home = ProfileFlags(rawValue: 2)
        static let idToken = ProfileFlags(rawValue: 4)
        static let openID = ProfileFlags(rawValue: 8)
    }

    static func bytes(of digests: [AccountDigest]) -> [UInt8] {
        let persons = digests.compactMap(\.person)
        let shared = Set(
            persons.flatMap { [$0.environment] + $0.profiles.map(\.realm) } + digests.flatMap(\.authorities)
        )
        .sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(shared, 0...))
        let lists = Set(digests.map(\.authorities)).subtracting([[]])
        let numberedLists = lists.sorted { $0.lexicographicallyPrecedes($1) }
        let listNumbers = Dictionary(uniqueKeysWithValues: zip(numberedLists, 0...))
        var writer = DigestWriter()
        let names = digests.flatMap { digest in digest.person.map { $0.usernames + [digest.homeAccountID] } ?? [] }
        let marks = Set(names.map { mark(of: $0) ?? markOfOthers }).sorted()
        writer.write(marks.count)
        for mark in marks { writer.write(mark) }
        writer.write(shared.count)
        for text in shared { writer.write(text) }
        writer.write(numberedLists.count)
        for list in numberedLists {
            writer.write(list.count)
            for text in list { writer.write(numbers[text] ?? 0) }
        }
        writer.write(digests.count)
        for digest in digests { digest.write(to: &writer, listNumbers[digest.authorities]) { numbers[$0] ?? 0 } }
        return writer.bytes
    }

    private func write(to writer: inout DigestWriter, _ list: Int?, number: (String) -> Int) {
        writer.bytes.append(flags.rawValue)
        writer.write(homeAccountID)
        list.map { writer.write($0) }
        if let end = tokens?.expiresOn { writer.write(end.timeIntervalSinceReferenceDate) }
        guard let person else { return }
        writer.bytes.append(person.flags.rawValue)
        writer.write(number(person.environment))
        person.username.map { writer.write($0) }
        person.name.map { writer.write($0) }
        if !person.otherUsernames.isEmpty {
            writer.write(person.otherUsernames.count)
            for username in person.otherUsernames { writer.write(username) }
        }
        writer.write(person.profiles.count)
        for profile in person.profiles {
            writer.bytes.append(profile.flags.rawValue)
            writer.write(number(profile.realm))
            profile.localAccountID.map { writer.write($0) }
        }
    }

    private var flags: Flags {
        var flags: Flags = []
        if isSignedIn { flags.insert(.signedIn) }
        if isSignedOut { flags.insert(.signedOut) }
        if let tokens {
            flags.insert(.tokens)
            if tokens.expiresOn != nil { flags.insert(.expiry) }
            if tokens.canRefresh { flags.insert(.renewable) }
            if tokens.isFromOtherApplication { flags.insert(.otherApplication) }
        }
        if person != nil { flags.insert(.person) }
        if !authorities.isEmpty { flags.insert(.authorities) }
        return flags
    }

    private static func digests(
        in bytes: [UInt8], naming mark: UInt64?
    ) throws(DigestReader.Malformed) -> [AccountDigest] {
        var reader = DigestReader(bytes)
        var canMatch = mark == nil
        for _ in 0..<(try reader.number()) {
            let known = try reader.bits()
            if known == mark || known == markOfOthers { canMatch = true }
        }
        guard canMatch else { return [] }
        var shared: [String] = []
        for _ in 0..<(try reader.number()) { shared.append(try reader.text()) }
        var lists: [[String]] = []
        for _ in 0..<(try reader.number()) {
            var list: [String] = []
            for _ in 0..<(try reader.number()) { list.append(try reader.element(of: shared)) }
            lists.append(list)
        }
        var digests: [AccountDigest] = []
        for _ in 0..<(try reader.number()) { digests.append(try AccountDigest(from: &reader, shared, lists)) }
        try reader.end()
        return digests
    }

    private init(
        from reader: inout DigestReader, _ shared: [String], _ lists: [[String]]
    ) throws(DigestReader.Malformed) {
        let flags = Flags(rawValue: try reader.byte())
        homeAccountID = try reader.text()
        if flags.contains(.authorities) { authorities = try reader.element(of: lists) }
        isSignedIn = flags.contains(.signedIn)
        isSignedOut = flags.contains(.signedOut)
        let end = flags.contains(.expiry) ? Date(timeIntervalSinceReferenceDate: try reader.double()) : nil
        if flags.contains(.tokens) {
            tokens = MSALCachedTokens(
                expiresOn: end, canRefresh: flags.contains(.renewable),
                isFromOtherApplication: flags.contains(.otherApplication))
        }
        if flags.contains(.person) { person = try Person(from: &reader, shared) }
    }
}

extension AccountDigest.Person {
    fileprivate var flags: AccountDigest.PersonFlags {
        var flags: AccountDigest.PersonFlags = []
        if username != nil { flags.insert(.username) }
        if name != nil { flags.insert(.name) }
        if !otherUsernames.isEmpty { flags.insert(.otherUsernames) }
        return flags
    }

    fileprivate init(from reader: inout DigestReader, _ shared: [String]) throws(DigestReader.Malformed) {
        let flags = AccountDigest.PersonFlags(rawValue: try reader.byte())
        environment = try reader.element(of: shared)
        username = flags.contains(.username) ? try reader.text() : nil
        name = flags.contains(.name) ? try reader.text() : nil
        if flags.contains(.otherUsernames) {
            for _ in 0..<(try reader.number()) { otherUsernames.append(try reader.text()) }
        }
        profiles = []
        for _ in 0..<(try reader.number()) {
            profiles.append(try AccountDigest.Profile(from: &reader, shared))
        }
    }
}

extension AccountDigest.Profile {
    fileprivate var flags: AccountDigest.ProfileFlags {
        var flags: AccountDigest.ProfileFlags = []
        if localAccountID != nil { flags.insert(.localAccountID) }
        if isHome { flags.insert(.home) }
        if hasIDToken { flags.insert(.idToken) }
        if isOpenID { flags.insert(.openID) }
        return flags
    }

    fileprivate init(from reader: inout DigestReader, _ shared: [String]) throws(DigestReader.Malformed) {
        let flags = AccountDigest.ProfileFlags(rawValue: try reader.byte())
        realm = try reader.element(of: shared)
        localAccountID = flags.contains(.localAccountID) ? try reader.text() : nil
        isHome = flags.contains(.home)
        hasIDToken = flags.contains(.idToken)
        isOpenID = flags.contains(.openID)
    }
}
