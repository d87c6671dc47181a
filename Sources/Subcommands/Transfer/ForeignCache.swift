import Foundation
import MSAL

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
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            let data = try handle.read(upToCount: Self.mostBytes + 1) ?? Data()
            guard data.count <= Self.mostBytes else { throw unreadable("it is larger than any token cache") }
            return data
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw unreadable("it is not there, is a folder, or is not yours to read")
        }
    }

    private func unreadable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .failed, name: "unreadable", "\(path) cannot be read: \(reason).",
            nextStep: "Name the file of a token cache, or use 'keyturn import known'.")
    }
}
