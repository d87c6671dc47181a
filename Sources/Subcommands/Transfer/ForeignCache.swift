import Foundation
import MSAL
import POSIX

/// A token cache that another program wrote.
struct ForeignCache: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        case unified, adal
    }

    /// What a person calls the program.
    var program: String
    var kind: Kind
    var path: String
    /// What a keyring held; `nil` for a file, which is read when it is needed.
    var content: Data?

    /// No cache is larger; a wrong path may lead to anything.
    private static let mostBytes = 256 << 20

    func bring(into application: MSALPublicClientApplication) async throws -> MSALCacheTransferReport {
        let data = try content ?? read()
        return switch kind {
        case .unified: try application.importUnifiedCache(data)
        case .adal: try await application.importADALCache(data)
        }
    }

    private func read() throws(CommandFailure) -> Data {
        let bytes: [UInt8]
        do throws(PlainFile.Failure) {
            bytes = try PlainFile.read(path, atMost: Self.mostBytes)
        } catch {
            throw unreadable(error.reason)
        }
        guard bytes.count <= Self.mostBytes else { throw unreadable("it is larger than any token cache") }
        return Data(bytes)
    }

    private func unreadable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .failed, name: "unreadable", "\(path) cannot be read: \(reason).",
            nextStep: "Name the file of a token cache, or use 'keyturn import known'.")
    }
}
