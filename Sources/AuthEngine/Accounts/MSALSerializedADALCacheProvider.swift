import Foundation
import Locks

/// Told when an old cache of ADAL is about to be used and was used, so that a program can read and write its file (MSAL for
/// macOS, `MSALSerializedADALCacheProviderDelegate`).
public protocol MSALSerializedADALCacheProviderDelegate {
    func willAccessCache(_ cache: MSALSerializedADALCacheProvider)
    func didAccessCache(_ cache: MSALSerializedADALCacheProvider)
    func willWriteCache(_ cache: MSALSerializedADALCacheProvider)
    func didWriteCache(_ cache: MSALSerializedADALCacheProvider)
}

/// An old cache of ADAL in memory, between the program that has the file and the library (MSAL for macOS,
/// `MSALSerializedADALCacheProvider`).
public final class MSALSerializedADALCacheProvider: NSObject, NSCopying {
    public let delegate: any MSALSerializedADALCacheProviderDelegate
    private let content: Locked<Data>

    public convenience init(delegate: any MSALSerializedADALCacheProviderDelegate) throws {
        self.init(delegate: delegate, content: Data())
    }

    private init(delegate: any MSALSerializedADALCacheProviderDelegate, content: Data) {
        self.delegate = delegate
        self.content = Locked(content)
    }

    /// The cache as it is to be written; empty when there is none.
    public func serializeData() throws -> Data { content.withLock { $0 } }

    /// Takes the cache as it was read.
    public func deserialize(_ serializedBlob: Data) throws { content.withLock { $0 = serializedBlob } }

    public func copy(with zone: NSZone? = nil) -> Any {
        MSALSerializedADALCacheProvider(delegate: delegate, content: content.withLock { $0 })
    }
}
