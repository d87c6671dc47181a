import Foundation
import KeyturnSystem

/// Receives a call before and after each use of an ADAL cache, to load and save its file (MSAL for macOS,
/// `MSALSerializedADALCacheProviderDelegate`).
public protocol MSALSerializedADALCacheProviderDelegate {
    /// Called before the library reads the cache. Load the newest content here.
    func willAccessCache(_ cache: MSALSerializedADALCacheProvider)
    /// Called after the library read the cache.
    func didAccessCache(_ cache: MSALSerializedADALCacheProvider)
    /// Called before the library changes the cache. Lock the file and load its newest content here.
    func willWriteCache(_ cache: MSALSerializedADALCacheProvider)
    /// Called after the library changed the cache. Save it here.
    func didWriteCache(_ cache: MSALSerializedADALCacheProvider)
}

/// An ADAL cache in memory that the program loads and saves itself (MSAL for macOS, `MSALSerializedADALCacheProvider`).
public final class MSALSerializedADALCacheProvider: NSObject, NSCopying {
    /// The object that receives a call before and after each use.
    public let delegate: any MSALSerializedADALCacheProviderDelegate
    private let content: Locked<Data>

    /// Creates an empty cache.
    public convenience init(delegate: any MSALSerializedADALCacheProviderDelegate) throws {
        self.init(delegate: delegate, content: Data())
    }

    private init(delegate: any MSALSerializedADALCacheProviderDelegate, content: Data) {
        self.delegate = delegate
        self.content = Locked(content)
    }

    /// Returns the cache to save. Empty when there is none.
    @discardableResult
    public func serializeData() throws -> Data { content.withLock { $0 } }

    /// Replaces the cache with loaded content.
    public func deserialize(_ serializedBlob: Data) throws { content.withLock { $0 = serializedBlob } }

    public func copy(with zone: NSZone? = nil) -> Any {
        MSALSerializedADALCacheProvider(delegate: delegate, content: content.withLock { $0 })
    }
}

/// A caller's ADAL cache, called one at a time, because the delegate need not be thread-safe. It may call the application again.
final class SerializedADALCache {
    private let provider: MSALSerializedADALCacheProvider
    private let oneAtATime = NSRecursiveLock()

    init(_ provider: MSALSerializedADALCacheProvider) { self.provider = provider }

    /// Returns the cache, or `nil` when it is empty. The delegate can load newer content first.
    func contents() -> [UInt8]? {
        oneAtATime.withLock {
            provider.delegate.willAccessCache(provider)
            defer { provider.delegate.didAccessCache(provider) }
            guard let data = try? provider.serializeData(), !data.isEmpty else { return nil }
            return [UInt8](data)
        }
    }
}
