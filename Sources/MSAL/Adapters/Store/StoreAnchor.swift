import KeyturnCrypto
import OAuthCore

/// The facts about a store outside its database, in `STORE.anchor`: its key, the key's location, and an encrypted copy
/// of the store's manifest (docs/decisions/0029). Written after each change, so never ahead of the database. Has two
/// entries while the key moves, because the process may exit before or after the database changes.
struct StoreAnchor: Equatable {
    struct Entry: Equatable {
        var place: DataKeyPlace
        var keyID: String
        /// The store's manifest, encrypted and bound to key and location.
        var manifest: EncryptedRow
    }

    enum Mismatch: Error, Equatable {
        /// The key differs and is in a weaker location.
        case weakerKey
        case anotherKey
        /// The database is an earlier state.
        case rolledBack
        /// The anchor is missing or unreadable.
        case unknown
        /// The anchor is missing and the key is to move, which would adopt the rows of any store.
        case unknownAndMoving
    }

    var entries: [Entry]

    private static let mostBytes = 1 << 16

    static func path(of store: String) -> String { "\(store).anchor" }

    /// Reads the anchor. Returns `nil` when it doesn't exist, and one without entries when it is unreadable.
    static func read(beside store: String) throws(PrivateFile.Failure) -> StoreAnchor? {
        guard let bytes = try PrivateFile.read(path(of: store), atMost: mostBytes) else { return nil }
        let entries = try? JSONValue(parsing: bytes).object?["entries"]?.array?.map(Entry.init)
        guard let entries, !entries.contains(nil) else { return StoreAnchor(entries: []) }
        return StoreAnchor(entries: entries.compactMap(\.self))
    }

    func write(beside store: String, syncsName: Bool) throws(PrivateFile.Failure) {
        let document: JSONValue = ["entries": .array(entries.map(\.json))]
        try PrivateFile.write(
            Array("\(document.serialized)\n".utf8), to: Self.path(of: store), syncsName: syncsName, of: store)
    }

    /// Checks the key of a database before any vault is used.
    func check(_ record: DataKeyRecord) throws(Mismatch) {
        if entry(of: record) != nil { return }
        guard let strongest = entries.map(\.place.strength).max() else { throw .unknown }
        throw record.place.strength < strongest ? .weakerKey : .anotherKey
    }

    func entry(of record: DataKeyRecord) -> Entry? {
        entries.first { $0.place == record.place && $0.keyID == record.id }
    }
}

extension StoreAnchor.Entry {
    fileprivate init?(_ json: JSONValue) {
        func bytes(_ name: String) -> [UInt8]? { json.object?[name]?.string.flatMap { Base64URL.decode($0) } }
        guard let place = json.object?["place"]?.string.flatMap(DataKeyPlace.init),
            let keyID = json.object?["key"]?.string, let nonce = bytes("nonce"), let encrypted = bytes("sealed")
        else { return nil }
        let identity = Self.identity(place, keyID)
        self.init(
            place: place, keyID: keyID, manifest: EncryptedRow(identity: identity, nonce: nonce, encrypted: encrypted))
    }

    fileprivate var json: JSONValue {
        [
            "place": .string(place.rawValue), "key": .string(keyID),
            "nonce": .string(Base64URL.encode(manifest.nonce)), "sealed": .string(Base64URL.encode(manifest.encrypted)),
        ]
    }

    static func identity(_ place: DataKeyPlace, _ keyID: String) -> [String] { ["anchor", place.rawValue, keyID] }
}

extension DataKeyPlace {
    fileprivate var strength: Int {
        switch self {
        case .keyFile: 0
        case .passphrase: 1
        case .secretService: 2
        }
    }
}
