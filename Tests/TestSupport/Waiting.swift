/// A test that waited in vain, and for what.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until the work of other tasks has made a condition true. The limit only ends a test whose condition never becomes true.
///
/// - Parameter what: completes "Waited in vain …: until".
package func wait(
    until what: String, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: Int = #line,
    _ isTrue: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !(try isTrue()) {
        guard ContinuousClock.now < end else {
            throw WaitedInVain(description: "Waited in vain for a minute at \(file):\(line): until \(what).")
        }
        await Task.yield()
    }
}
