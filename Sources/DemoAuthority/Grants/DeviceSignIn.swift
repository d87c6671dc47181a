import Foundation

/// A device whose code the user hasn't entered yet (RFC 8628). The table's key is the digest of the device code.
struct DeviceSignIn: Sendable, Equatable {
    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    enum Decision: Sendable, Equatable {
        case open
        case granted(Grant)
        case denied
    }

    let client: RegisteredClient
    let selector: TenantSelector
    let scopes: [RequestedScope]
    let expiry: Date
    /// The least seconds between polls; increases by five each time the device polls too early.
    var interval: TimeInterval
    var lastAsked: Date?
    var decision = Decision.open
}

/// User codes: eight consonants in two groups, which form no words (RFC 8628 §6.1).
enum UserCode {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    private static let length = 8

    /// - Parameter randomBytes: returns the given number of unpredictable bytes.
    static func make(_ randomBytes: (Int) -> [UInt8]) -> String {
        // 240 is the largest multiple of 20 in a byte. Larger values would make some letters more frequent.
        var letters: [Character] = []
        while letters.count < length {
            letters += randomBytes(length * 2).filter { $0 < 240 }.map { Self.letters[Int($0) % Self.letters.count] }
        }
        return "\(String(letters[0..<4]))-\(String(letters[4..<length]))"
    }

    /// Normalises a typed code: ignores letter case, dashes and spaces.
    static func normalized(_ typed: String) -> String {
        let letters = typed.uppercased().filter(letters.contains)
        return "\(letters.prefix(4))-\(letters.dropFirst(4))"
    }
}
