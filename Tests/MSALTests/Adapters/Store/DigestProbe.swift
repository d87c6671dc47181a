import Foundation
import KeyturnSystem

@testable import MSAL

/// A format whose digests name all of an account's records, and which records the accounts it had to compute.
final class DigestProbe: Sendable {
    private let noted = Locked<[String]>([])
    private let name: String
    /// Called for each computation.
    private let whenMade: @Sendable (String) -> Void

    init(_ name: String = "probe", whenMade: @escaping @Sendable (String) -> Void = { _ in }) {
        self.name = name
        self.whenMade = whenMade
    }

    /// The accounts computed since the last call.
    var made: [String] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }

    var form: DigestForm<String> {
        DigestForm(
            name: name,
            make: { [self] records in
                let account = records.first?.key.homeAccountID ?? ""
                noted.withLock { $0.append(account) }
                whenMade(account)
                // An account without a digest.
                guard records.contains(where: { $0.key.kind != .accountMetadata }) else { return nil }
                // Only the records of one kind are in order.
                let all = records.sorted { $0.key < $1.key }.map {
                    "\($0.key.components.dropFirst(2)) \($0.members["secret"]?.string ?? "")"
                }
                return "\(account) \(all)"
            },
            encode: { Array($0.utf8) },
            decode: { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                return text == "unreadable" ? nil : text
            })
    }
}

extension CredentialStore {
    func digests(_ probe: DigestProbe) throws -> [String] { try digests(in: probe.form).all }
}
