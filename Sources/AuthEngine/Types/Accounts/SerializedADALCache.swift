import Foundation

/// The ADAL cache that a program keeps, asked one call at a time: it need not be safe from several threads.
final class SerializedADALCache {
    private let provider: MSALSerializedADALCacheProvider
    private let oneAtATime = NSLock()

    init(_ provider: MSALSerializedADALCacheProvider) {
        self.provider = provider
    }

    /// `nil` when the program has none just now. The delegate may put the newest in before.
    func contents() -> [UInt8]? {
        oneAtATime.withLock {
            provider.delegate.willAccessCache(provider)
            defer { provider.delegate.didAccessCache(provider) }
            guard let data = try? provider.serializeData(), !data.isEmpty else { return nil }
            return [UInt8](data)
        }
    }
}
