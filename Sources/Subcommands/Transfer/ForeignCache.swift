import Foundation
import KeyturnSystem
import MSAL

struct ForeignCache: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        case unified, adal
    }

    var program: String
    var kind: Kind
    var path: String
    /// The content of a keyring item; `nil` for a file.
    var content: Data?

    /// Larger files aren't token caches.
    private static let mostBytes = 256 << 20

    /// Imports the cache. Waits for another program that is writing the file.
    func bring(into application: MSALPublicClientApplication) async throws -> MSALCacheTransferReport {
        if let content { return try await bring(content, into: application) }
        var watch = SettlingWatch(path: path, patience: .init())
        while true {
            let (data, version) = try read()
            do {
                return try await bring(data, into: application)
            } catch {
                guard data.isEmpty || (error as NSError).isNotACache else { throw error }
                switch watch.verdict(on: version) {
                case .again(let microseconds): try await sleep(for: .microseconds(Int(microseconds)))
                case .final: throw error
                case .unfinished(let writer): throw unfinished(writer)
                }
            }
        }
    }

    private func bring(
        _ data: Data, into application: MSALPublicClientApplication
    ) async throws -> MSALCacheTransferReport {
        if data.isEmpty { throw unreadable("it is empty", name: Self.emptyName) }
        return switch kind {
        case .unified: try application.importUnifiedCache(data)
        case .adal: try await application.importADALCache(data)
        }
    }

    /// Whether an import failed because the file is empty.
    static func isOfEmptyFile(_ failure: any Error) -> Bool {
        (failure as? Failure)?.name == emptyName
    }

    private func read() throws(Failure) -> (data: Data, version: FileVersion) {
        // Another user's tokens would sign in as that user.
        if let distrust = FileTrust.distrust(of: path) {
            throw Failure(
                .configuration, name: "unsafe", "\(path) is not imported: \(distrust.problem).",
                nextStep: "\(distrust.remedy).")
        }
        do throws(PlainFile.Failure) {
            let file = try OpenedFile(path)
            let version = try file.version
            let bytes = try file.content(atMost: Self.mostBytes)
            if bytes.count <= Self.mostBytes { return (Data(bytes), version) }
        } catch {
            throw unreadable(error.reason)
        }
        throw unreadable("too large for a token cache")
    }

    private func unfinished(_ writer: RunningProcess?) -> Failure {
        let cause = writer.map { "\($0) has not finished writing it" } ?? "an unknown program keeps changing it"
        return Failure(
            .store, name: "busy", "Can't read \(path): \(cause).",
            nextStep: "Try again when that program has finished or ended.")
    }

    private static let emptyName = "empty"

    private func unreadable(_ reason: String, name: String = "unreadable") -> Failure {
        Failure(
            .failed, name: name, "Can't read \(path): \(reason).",
            nextStep: "Use the file of a token cache, or 'keyturn import known'.")
    }
}

extension NSError {
    /// Whether the data isn't a token cache. An incomplete one isn't either.
    fileprivate var isNotACache: Bool {
        userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidParameter.rawValue
    }
}
