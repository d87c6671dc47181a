import AuthEngine
import Foundation
import POSIX

/// Files of ADAL's caches where ADAL left them.
package struct ADALCacheDisk: ADALCacheFiles {
    private let files: [URL]
    /// No person's cache is larger.
    private static let mostBytes = 16 << 20

    package init(files: [URL]) {
        self.files = files
    }

    /// One that is gone or cannot be read is a person that is not found: the program goes on without.
    package func contents() -> [[UInt8]] {
        files.compactMap { file in
            guard let bytes = try? PlainFile.read(file.path(percentEncoded: false), atMost: Self.mostBytes),
                bytes.count <= Self.mostBytes
            else { return nil }
            return bytes
        }
    }
}
