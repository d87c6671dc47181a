import AuthEngine

/// The latest flows, newest last. They contain tokens, so only a few are kept, in memory.
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

    /// Changes the trace with this ID, if it's still kept.
    package mutating func change(_ id: EffectID, _ body: (inout FlowTrace) -> Void) {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        body(&all[index])
    }

    /// The trace `distance` before or after another; nil past either end.
    package func neighbour(of id: EffectID, by distance: Int) -> FlowTrace? {
        guard let index = all.firstIndex(where: { $0.id == id }), all.indices.contains(index + distance) else {
            return nil
        }
        return all[index + distance]
    }
}
