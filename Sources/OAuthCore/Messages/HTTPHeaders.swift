/// Header fields in order. Names are compared without regard to case (RFC 9110 §5.1).
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String
        /// The value as it came, if that isn't UTF-8.
        package private(set) var bytes: [UInt8]?

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }

        package init(name: String, bytes: some Collection<UInt8>) {
            self.init(name: name, value: String(decoding: bytes, as: UTF8.self))
            if !value.utf8.elementsEqual(bytes) { self.bytes = Array(bytes) }
        }

        package var wireValue: [UInt8] { bytes ?? Array(value.utf8) }
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of a field. Setting it replaces all fields with that name; `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// All values of a field, such as `Set-Cookie`.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    package mutating func append(_ name: String, _ value: String) { append(Field(name: name, value: value)) }

    package mutating func append(_ field: Field) { fields.append(field) }
}
