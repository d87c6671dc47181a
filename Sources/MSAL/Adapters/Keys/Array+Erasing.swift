import Glibc

extension Array where Element: FixedWidthInteger {
    /// Overwrites the elements with zeros and empties the array. For keys and tokens.
    ///
    /// Doesn't erase memory that another array shares.
    mutating func erase() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
        removeAll()
    }
}
