import AuthEngine

/// The flows that can still be inspected, the newest last. They hold tokens, so they are few and live in memory only.
package struct FlowTraces: Sendable, Equatable {
    package static let limit = 5

    package private(set) var all: [FlowTrace] = []

    package init() {}

    package subscript(id: EffectID) -> FlowTrace? { all.first { $0.id == id } }

    package var newest: FlowTrace? { all.last }

    package mutating func begin(_ id: EffectID, _ title: String) {
        all.append(FlowTrace(id: id, title: title))
        all.removeFirst(max(0, all.count - Self.limit))
    }

    /// Changes the trace of this id, if it is still kept.
    package mutating func change(_ id: EffectID, _ body: (inout FlowTrace) -> Void) {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        body(&all[index])
    }

    /// The trace before or after another one; nil at the ends.
    package func neighbour(of id: EffectID, by distance: Int) -> FlowTrace? {
        guard let index = all.firstIndex(where: { $0.id == id }), all.indices.contains(index + distance) else {
            return nil
        }
        return all[index + distance]
    }
}
