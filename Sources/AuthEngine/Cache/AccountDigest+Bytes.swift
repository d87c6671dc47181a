import Foundation

/// The binary encoding of digests: first the texts that many digests share, then the digests, which refer to them by
/// number.
///
/// A text is its length and its UTF-8. A number has seven bits per byte, lowest first; the eighth bit marks that more
/// bytes follow.
extension AccountDigest {
    /// Increment this whenever the encoding or the content of digests changes.
    private static let version = 4

    package static func form(client: String) -> DigestForm<AccountDigest> {
        DigestForm(
            name: "accounts \(version) \(client)", make: { AccountDigest($0, client: client) }, encode: bytes(of:),
            decode: { try? digests(in: $0) })
    }

    fileprivate struct Flags: OptionSet {
        var rawValue: UInt8

        static let signedIn = Flags(rawValue: 1)
        static let signedOut = Flags(rawValue: 2)
        static let tokens = Flags(rawValue: 4)
        static let expiry = Flags(rawValue: 8)
        static let renewable = Flags(rawValue: 16)
        static let otherApplication = Flags(rawValue: 32)
        static let person = Flags(rawValue: 64)
    }

    fileprivate struct PersonFlags: OptionSet {
        var rawValue: UInt8

        static let username = PersonFlags(rawValue: 1)
        static let name = PersonFlags(rawValue: 2)
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
        let shared = Set(persons.flatMap { [$0.environment] + $0.profiles.map(\.realm) }).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(shared, 0...))
        var writer = DigestWriter()
        writer.write(shared.count)
        for text in shared { writer.write(text) }
        writer.write(digests.count)
        for digest in digests { digest.write(to: &writer) { numbers[$0] ?? 0 } }
        return writer.bytes
    }

    private func write(to writer: inout DigestWriter, number: (String) -> Int) {
        writer.bytes.append(flags.rawValue)
        writer.write(homeAccountID)
        if let end = tokens?.expiresOn { writer.write(end.timeIntervalSinceReferenceDate) }
        guard let person else { return }
        writer.bytes.append(person.flags.rawValue)
        writer.write(number(person.environment))
        person.username.map { writer.write($0) }
        person.name.map { writer.write($0) }
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
        return flags
    }

    static func digests(in bytes: [UInt8]) throws(DigestReader.Malformed) -> [AccountDigest] {
        var reader = DigestReader(bytes)
        var shared: [String] = []
        for _ in 0..<(try reader.number()) { shared.append(try reader.text()) }
        var digests: [AccountDigest] = []
        for _ in 0..<(try reader.number()) { digests.append(try AccountDigest(from: &reader, shared)) }
        try reader.end()
        return digests
    }

    private init(from reader: inout DigestReader, _ shared: [String]) throws(DigestReader.Malformed) {
        let flags = Flags(rawValue: try reader.byte())
        homeAccountID = try reader.text()
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
        return flags
    }

    fileprivate init(from reader: inout DigestReader, _ shared: [String]) throws(DigestReader.Malformed) {
        let flags = AccountDigest.PersonFlags(rawValue: try reader.byte())
        environment = try reader.text(of: shared)
        username = flags.contains(.username) ? try reader.text() : nil
        name = flags.contains(.name) ? try reader.text() : nil
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
        realm = try reader.text(of: shared)
        localAccountID = flags.contains(.localAccountID) ? try reader.text() : nil
        isHome = flags.contains(.home)
        hasIDToken = flags.contains(.idToken)
        isOpenID = flags.contains(.openID)
    }
}
