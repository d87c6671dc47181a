// Every message and cache here is JSON, so whoever imports this target has it.
@_exported import JSON

extension [String: JSONValue] {
    /// Returns the text of a member, or `nil` when it is missing or null. Throws for another type.
    func text<Failure: Error>(_ name: String, otherwise failure: Failure) throws(Failure) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let text = value.string else { throw failure }
        return text
    }
}
