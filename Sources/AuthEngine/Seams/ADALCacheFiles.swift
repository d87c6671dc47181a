/// The files of ADAL's caches that an application was told of. They are read when needed, and never written.
package protocol ADALCacheFiles: Sendable {
    /// Those that can be read.
    func contents() -> [[UInt8]]
}
