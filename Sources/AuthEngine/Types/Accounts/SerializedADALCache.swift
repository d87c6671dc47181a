import Foundation

/// A caller's ADAL cache. Calls are serialised because the delegate need not be thread-safe.
final class SerializedADALCache {
    private let provider: MSALSerializedADALCacheProvider
    private let oneAtATime = NSLock()

    init(_ provider: MSALSerializedADALCacheProvider) {
        self.provider = provider
    }

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
