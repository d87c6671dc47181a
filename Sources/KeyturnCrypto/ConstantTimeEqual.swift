import CNettle

/// Compares values in constant time, except that different lengths return early.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && keyturn_equal(left, right, left.count) == 1
}
