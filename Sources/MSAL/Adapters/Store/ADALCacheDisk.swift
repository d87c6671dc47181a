import Foundation
import KeyturnSystem

/// ADAL caches in their original files.
package struct ADALCacheDisk: ADALCacheFiles {
    let files: [URL]
    /// For files that another program is writing.
    var patience = SettlingWatch.Patience()
    private static let mostBytes = 16 << 20

    /// The readable files that other users can't change, because they could put their own account there.
    package func contents() -> [[UInt8]] { files.compactMap { content($0.path(percentEncoded: false)) } }

    private func content(_ path: String) -> [UInt8]? {
        var watch = SettlingWatch(path: path, patience: patience)
        while true {
            guard FileTrust.distrust(of: path) == nil, let file = try? OpenedFile(path),
                let version = try? file.version,
                let bytes = try? file.content(atMost: Self.mostBytes), bytes.count <= Self.mostBytes
            else { return nil }
            guard Self.isUnreadable(bytes) else { return bytes }
            switch watch.verdict(on: version) {
            case .again(let microseconds): ThreadPool.pause(microseconds: microseconds)
            case .final, .unfinished: return bytes
            }
        }
    }

    private static func isUnreadable(_ bytes: [UInt8]) -> Bool {
        do throws(ADALCache.Malformed) {
            _ = try ADALCache(parsing: bytes)
            return false
        } catch { return error == .unreadable }
    }
}
