import Foundation
import Glibc

/// Where the sockets of waiting sign-ins are. Both sides have to find the same folder, although a desktop starts one of
/// them and a terminal, perhaps on another login, the other.
struct HandOverFolder: Equatable {
    /// The folders to look in; the first that can be used is the one to wait in.
    let candidates: [String]

    init(candidates: [String]) { self.candidates = candidates }

    /// - Parameter isFolder: whether the system made the folder of this path. It is never made here: an own one in its
    ///   place would hide the real one from a later login.
    init(
        environment: [String: String], user: uid_t = geteuid(),
        isFolder: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) {
        let directories = XDGDirectories(environment: environment)
        let usual = "/run/user/\(user)"
        let runtime = [directories.runtime?.path(percentEncoded: false), isFolder(usual) ? "\(usual)/keyturn" : nil]
            .compactMap(\.self)
        // Outside of a login session: the specification asks for a replacement with the same privacy.
        let all = runtime + [directories.state.appending(path: "run").path(percentEncoded: false)]
        candidates = all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static let suffix = ".socket"

    /// The folder to wait in, made if it is missing. Throws why the last one cannot be used.
    func prepare() throws(PrivateFile.Failure) -> String {
        var failure = PrivateFile.Failure(kind: .io, reason: "There is no folder for sockets.")
        for folder in candidates {
            do throws(PrivateFile.Failure) {
                try PrivateFile.prepareFolder(folder)
                return folder
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Whoever waits now, and what those left behind that did not end well.
    func sockets() -> [String] {
        candidates.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasSuffix(Self.suffix) }.sorted().map { "\(folder)/\($0)" }
        }
    }
}
