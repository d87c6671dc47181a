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
    /// Seconds that have to pass between two questions; five more each time the device does not wait.
    var interval: TimeInterval
    var lastAsked: Date?
    var decision = Decision.open
}

/// Codes that people type: eight consonants, so that they form no words, in two groups (RFC 8628 §6.1).
enum UserCode {
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    private static let length = 8

    /// - Parameter randomBytes: gives that many unpredictable bytes.
    static func make(_ randomBytes: (Int) -> [UInt8]) -> String {
        // 240 is the largest multiple of 20 in a byte: above it some letters would come up more often.
        var letters: [Character] = []
        while letters.count < length {
            letters += randomBytes(length * 2).filter { $0 < 240 }.map { Self.letters[Int($0) % Self.letters.count] }
        }
        return "\(String(letters[0..<4]))-\(String(letters[4..<length]))"
    }

    /// As people type it: in any case, with any dashes and blanks.
    static func normalized(_ typed: String) -> String {
        let letters = typed.uppercased().filter(letters.contains)
        return "\(letters.prefix(4))-\(letters.dropFirst(4))"
    }
}
