import Diagnosis

extension CheckFinding {
    /// The fact and the fix.
    var sentences: String { [fact, fix].compactMap(\.self).joined(separator: " ") }
}
