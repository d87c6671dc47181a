import Foundation
import Locks

/// Told when an old cache of ADAL is about to be used and was used, so that a program can read and write its file (MSAL for
/// macOS, `MSALSerializedADALCacheProviderDelegate`).
public protocol MSALSerializedADALCacheProviderDelegate {
    /// Before the cache is read: the time to bring it up to date.
    func willAccessCache(_ cache: MSALSerializedADALCacheProvider)
    /// After the cache was read.
    func didAccessCache(_ cache: MSALSerializedADALCacheProvider)
    /// Before the cache is changed: the time to lock and to bring it up to date.
    func willWriteCache(_ cache: MSALSerializedADALCacheProvider)
    /// After the cache was changed: the time to keep it.
    func didWriteCache(_ cache: MSALSerializedADALCacheProvider)
}

/// An old cache of ADAL in memory, between the program that has the file and the library (MSAL for macOS,
/// `MSALSerializedADALCacheProvider`).
public final class MSALSerializedADALCacheProvider: NSObject, NSCopying {
    /// Who is told of every use.
    public let delegate: any MSALSerializedADALCacheProviderDelegate
    private let content: Locked<Data>

    /// An empty cache.
    public convenience init(delegate: any MSALSerializedADALCacheProviderDelegate) throws {
        self.init(delegate: delegate, content: Data())
    }

    private init(delegate: any MSALSerializedADALCacheProviderDelegate, content: Data) {
        self.delegate = delegate
        self.content = Locked(content)
    }

    /// The cache as it is to be written; empty when there is none.
    @discardableResult
    public func serializeData() throws -> Data { content.withLock { $0 } }

    /// Takes the cache as it was read.
    public func deserialize(_ serializedBlob: Data) throws { content.withLock { $0 = serializedBlob } }

    public func copy(with zone: NSZone? = nil) -> Any {
        MSALSerializedADALCacheProvider(delegate: delegate, content: content.withLock { $0 })
    }
}
