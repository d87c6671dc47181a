/// A value that is copied with its reference. Every view has a copy of the context, and the compiler writes code for each of them
/// that copies all members: half a megabyte.
@propertyWrapper
package struct Boxed<Value: Sendable & Equatable>: Sendable, Equatable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    package init(wrappedValue: Value) { box = Box(wrappedValue) }

    package var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.box === other.box || one.box.value == other.box.value
    }
}
