import CResources
import Foundation

extension Data {
    /// The content of a bundled file.
    init(_ resource: keyturn_resource) {
        self.init(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }
}
