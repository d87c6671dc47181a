import AuthEngine
import KeyturnCrypto
import OAuthCore

/// What is remembered of a store outside its database, in `STORE.anchor`: which key it has and where, and a generation
/// that it had, sealed with that key (docs/decisions/0029).
///
/// Written after each change of the store, so it is never ahead of the database. Two entries stand in it while the key
/// moves, because the process may end before or after the database changes.
struct StoreAnchor: Equatable {
    struct Entry: Equatable {
        var place: DataKeyPlace
        var keyID: String
        var nonce: [UInt8]
        var sealed: [UInt8]
    }

    /// Why a database is not the one that was left here.
    enum Mismatch: Error, Equatable {
        /// It is sealed with another key, which is in a weaker place than the one remembered.
        case weakerKey
        case anotherKey
        /// It is an earlier state.
        case rolledBack
        /// There is no anchor beside it, or one that cannot be read.
        case unknown
        /// It comes without an anchor, and its key is to move: the rows of any store would be taken over.
        case unknownAndMoving
    }

    var entries: [Entry]

    private static let mostBytes = 1 << 16

    static func path(of store: String) -> String { "\(store).anchor" }

    /// `nil`: there is none. No entries: it cannot be read.
    static func read(beside store: String) throws(PrivateFile.Failure) -> StoreAnchor? {
        guard let bytes = try PrivateFile.read(path(of: store), atMost: mostBytes) else { return nil }
        let entries = try? JSONValue(parsing: bytes).object?["entries"]?.array?.map(Entry.init)
        guard let entries, !entries.contains(nil) else { return StoreAnchor(entries: []) }
        return StoreAnchor(entries: entries.compactMap(\.self))
    }

    func write(beside store: String) throws(PrivateFile.Failure) {
        let document: JSONValue = ["entries": .array(entries.map(\.json))]
        try PrivateFile.write(Array("\(document.serialized)\n".utf8), to: Self.path(of: store))
    }

    /// Checks the key of a database before any vault is asked for it.
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
            let keyID = json.object?["key"]?.string, let nonce = bytes("nonce"), let sealed = bytes("sealed")
        else { return nil }
        self.init(place: place, keyID: keyID, nonce: nonce, sealed: sealed)
    }

    fileprivate var json: JSONValue {
        [
            "place": .string(place.rawValue), "key": .string(keyID), "nonce": .string(Base64URL.encode(nonce)),
            "sealed": .string(Base64URL.encode(sealed)),
        ]
    }

    /// Binds the generation to the place and the key.
    var identity: [String] { Self.identity(place, keyID) }

    static func identity(_ place: DataKeyPlace, _ keyID: String) -> [String] { ["anchor", place.rawValue, keyID] }
}

extension DataKeyPlace {
    /// The greater, the harder the key is to get at.
    fileprivate var strength: Int {
        switch self {
        case .keyFile: 0
        case .passphrase: 1
        case .secretService: 2
        }
    }
}
