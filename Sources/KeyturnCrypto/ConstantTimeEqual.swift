import CNettle

/// Compares without telling, by the time it takes, where two values differ. That lengths differ is no secret.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && keyturn_equal(left, right, left.count) == 1
}
