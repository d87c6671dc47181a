import DemoAuthority
import Foundation
import KeyturnSystem
import LoopbackHTTP
import MSAL

/// The built-in authority behind another URL than its own, so that a proxy can sit between it and its clients.
enum Authority {
    struct NoAddress: Error {}

    static func origin(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw NoAddress() }
        return url
    }

    static func start(port: UInt16, origin: URL) throws -> LoopbackServer {
        let authority = Locked(
            DemoAuthority(
                origin: origin, keys: try DemoKeys.generate(), directory: .town,
                randomBytes: { SystemRandom().bytes($0) }))
        let limits = LoopbackServer.Limits(bodyBytes: DemoAuthority.maximumBodyLength)
        return try LoopbackServer.start(port: port, limits: limits) { request in
            authority.withLock { $0.respond(to: request, at: Date()) }
        }
    }
}

extension Directory {
    /// The users of the demo, and one for each process.
    static let town: Directory = {
        var town = Directory.standard
        guard let ann = town.users.first else { return town }
        town.users += (0..<100).map { number in
            var user = ann
            user.objectID = "a1b2c3d4-5000-4a00-8a00-\(String(format: "%012d", number))"
            user.username = username(number)
            return user
        }
        return town
    }()

    static func username(_ number: Int) -> String { "person\(number)@contoso.example" }
    /// The password of all users.
    static var password: String { standard.users.first?.password ?? "" }
}
