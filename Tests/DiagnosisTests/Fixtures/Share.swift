import Foundation

/// What a landing tests of many similar combinations: a share of them. With `KEYTURN_EVERY` (`make nightly`), all.
enum Share {
    private static let isEvery = ProcessInfo.processInfo.environment["KEYTURN_EVERY"] != nil

    /// Every fourth of a series.
    static func takes(_ number: Int) -> Bool { isEvery || number.isMultiple(of: 4) }

    /// One of them, another for each number.
    static func of<Value>(_ values: [Value], _ number: Int) -> [Value] {
        isEvery || values.isEmpty ? values : [values[number % values.count]]
    }
}
