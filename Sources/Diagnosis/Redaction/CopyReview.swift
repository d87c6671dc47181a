/// Original and copy, line by line, with the values that the user can keep or hide.
package struct CopyReview: Sendable, Equatable {
    /// A value at all its places.
    package struct Item: Sendable, Hashable {
        /// The name of the parameter, or `host`, `path`, `text`…
        package let kind: String
        package let text: String

        /// What no rule knows.
        static let text = "text"
    }

    package struct Value: Sendable, Hashable {
        package let item: Item
        package let isHidden: Bool
    }

    package struct Line: Sendable, Equatable {
        package let original: String
        package let copy: String
        /// In their order, each once.
        package let values: [Value]

        init(_ original: String, _ copy: String, _ values: [Value]) {
            (self.original, self.copy, self.values) = (original, copy, values)
        }
    }

    package internal(set) var lines: [Line] = []

    /// The numbers of values that are hidden and that are kept, each at all its places.
    package var counts: (hidden: Int, shown: Int) {
        let values = Set(lines.flatMap(\.values))
        let hidden = values.count { $0.isHidden }
        return (hidden, values.count - hidden)
    }

}

extension CopyReview {
    /// The request and its parameters, each on a line.
    mutating func add(_ exchange: Exchange, _ copy: Exchange, _ values: [Value]) {
        func line(_ exchange: Exchange) -> String {
            "\(exchange.method) \(exchange.url.prefix { $0 != "?" && $0 != "#" })"
                + (exchange.status == 0 ? "" : " \(exchange.status)")
        }
        var rest = values[...]
        var near: [Value] = []
        // Values are in the order of the lines, with those of headers, which no line shows, between them.
        func add(_ original: String, _ copy: String) {
            if near.count == Self.reach { near.removeFirst(Self.reach / 2) }
            let next = rest.prefix(Self.reach - near.count)
            rest = rest.dropFirst(next.count)
            near += next
            let own = near.filter { original.contains($0.item.text) }
            near.removeAll(where: own.contains)
            lines.append(Line(original, copy, own))
        }
        add(line(exchange), line(copy))
        for (pair, other) in zip(exchange.parameters.pairs, copy.parameters.pairs) where !Task.isCancelled {
            add("  \(pair.name)=\(pair.value)", "  \(other.name)=\(other.value)")
        }
        if let body = exchange.body {
            add("  \(body.prefix(Self.longest))", "  \((copy.body ?? "").prefix(Self.longest))")
        }
    }

    /// The values among which a line's own are looked for. All of them would take quadratic time.
    private static let reach = 64
    /// The longest part of a body on a line.
    private static let longest = 2000
}
