/// A value that is copied with its reference. Every view has the context, and the compiler would write code for each of them
/// that copies all members: a megabyte.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    package var wrappedValue: Value {
        // Without a copy of the whole value for one of its members.
        _read { yield box.value }
        set { box = Box(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    package static func == (one: Self, other: Self) -> Bool {
        one.box === other.box || one.box.value == other.box.value
    }
}
