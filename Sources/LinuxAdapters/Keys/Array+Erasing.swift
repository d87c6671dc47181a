import Glibc

extension Array where Element: FixedWidthInteger {
    /// Overwrites the elements with zeros and leaves the array empty: for keys, and for texts with tokens.
    ///
    /// Memory that another array shares is not touched: the last holder has to erase it.
    mutating func erase() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
        removeAll()
    }
}
