import AuthEngine
import Locks

/// ADAL caches in memory.
package final class MemoryADALFiles: ADALCacheFiles {
    private let files = Locked<[[UInt8]]>([])

    package init() {}

    package func place(_ file: [UInt8]) { files.withLock { $0.append(file) } }

    package func contents() -> [[UInt8]] { files.withLock { $0 } }
}
