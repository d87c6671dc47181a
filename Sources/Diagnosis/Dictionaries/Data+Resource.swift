import CResources
import Foundation

extension Data {
    /// A file that the program carries.
    init(_ resource: keyturn_resource) {
        self.init(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    }
}
