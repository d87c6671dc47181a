/// A regular expression that is parsed once. A literal in a function is parsed at each call, which takes longer than the search
/// in a line.
///
/// Unchecked, because `Regex` isn't Sendable: nothing changes it, and the standard library stores its program atomically.
struct Pattern<Output>: @unchecked Sendable {
    let regex: Regex<Output>

    init(_ regex: Regex<Output>) { self.regex = regex }
}
