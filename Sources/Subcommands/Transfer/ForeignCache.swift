import Foundation
import MSAL
import POSIX

/// Another program's token cache.
struct ForeignCache: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        case unified, adal
    }

    /// The program's name.
    var program: String
    var kind: Kind
    var path: String
    /// The content of a keyring item; `nil` for a file.
    var content: Data?

    /// Larger files aren't token caches.
    private static let mostBytes = 256 << 20

    func bring(into application: MSALPublicClientApplication) async throws -> MSALCacheTransferReport {
        let data = try content ?? read()
        return switch kind {
        case .unified: try application.importUnifiedCache(data)
        case .adal: try await application.importADALCache(data)
        }
    }

    private func read() throws(CommandFailure) -> Data {
        // Another user's tokens would sign in as that user.
        if let distrust = FileTrust.distrust(of: path) {
            throw CommandFailure(
                .configuration, name: "unsafe", "\(path) is not imported: \(distrust.problem).",
                nextStep: "\(distrust.remedy).")
        }
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(path, atMost: Self.mostBytes)
        } catch {
            throw unreadable(error.reason)
        }
        guard bytes.count <= Self.mostBytes else { throw unreadable("too large for a token cache") }
        return Data(bytes)
    }

    private func unreadable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .failed, name: "unreadable", "Can't read \(path): \(reason).",
            nextStep: "Use the file of a token cache, or 'keyturn import known'.")
    }
}
