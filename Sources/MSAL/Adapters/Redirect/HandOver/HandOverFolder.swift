import Foundation
import Glibc

/// The folder for the sockets of waiting sign-ins. Both sides have to find the same one, although the desktop starts
/// one and a terminal the other.
struct HandOverFolder: Equatable {
    /// The folders to search. Sign-ins wait in the first usable one.
    let candidates: [String]

    init(candidates: [String]) { self.candidates = candidates }

    /// - Parameter isFolder: whether the path is an existing folder. The runtime folder is never created here, because
    ///   it would hide the system's from a later login.
    init(
        environment: [String: String], user: uid_t = geteuid(),
        isFolder: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) {
        let directories = XDGDirectories(environment: environment)
        let usual = "/run/user/\(user)"
        let runtime = [directories.runtime?.path(percentEncoded: false), isFolder(usual) ? "\(usual)/keyturn" : nil]
            .compactMap(\.self)
        // Without a login session: the specification asks for a private replacement.
        let all = runtime + [directories.state.appending(path: "run").path(percentEncoded: false)]
        candidates = all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static let suffix = ".socket"

    /// Returns the folder to wait in, creating it if necessary. Throws the error for the last candidate.
    func prepare() throws(PrivateFile.Failure) -> String {
        var failure = CredentialStoreFailure(.io, reason: "There is no usable folder for sockets.")
        for folder in candidates {
            do { try PrivateFile.prepareFolder(folder) } catch {
                failure = error
                continue
            }
            return folder
        }
        throw failure
    }

    /// The sockets of waiting sign-ins, and those that killed processes left.
    func sockets() -> [String] {
        candidates.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasSuffix(Self.suffix) }.sorted().map { "\(folder)/\($0)" }
        }
    }
}
