/// A property that a parser violated, in words.
package struct PropertyViolation: Error, CustomStringConvertible {
    package let description: String
}

func require(_ holds: Bool, _ promise: @autoclosure () -> String) throws {
    if !holds { throw PropertyViolation(description: promise()) }
}

/// Returns the value, which the property requires to exist.
func unwrap<Value>(_ value: Value?, _ promise: @autoclosure () -> String) throws -> Value {
    guard let value else { throw PropertyViolation(description: promise()) }
    return value
}

func requireEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: @autoclosure () -> String) throws {
    try require(found == wanted, "\(what()): \(String(reflecting: found)) instead of \(String(reflecting: wanted))")
}

/// Text for the user contains no control characters and no bidirectional marks.
func requirePlain(_ text: String, _ what: @autoclosure () -> String) throws {
    let offender = text.unicodeScalars.first {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    try require(offender == nil, "\(what()) contains \(offender.map { String($0.value, radix: 16) } ?? ""): \(text)")
}

/// No message shows a secret. A short secret may occur in a sentence by chance.
func requireHidden(_ secrets: [String], in text: String, _ what: @autoclosure () -> String) throws {
    for secret in secrets where secret.utf8.count >= 16 {
        try require(!text.contains(secret), "\(what()) contains a secret: \(text)")
    }
}
