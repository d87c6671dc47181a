/// Look-ups by key. A recording can have thousands of requests, so that no rule searches all of them for each of them.
extension Sequence {
    /// The first element of each key.
    func first<Key: Hashable>(by key: (Element) -> Key?) -> [Key: Element] {
        reduce(into: [:]) { found, element in
            if let key = key(element), found[key] == nil { found[key] = element }
        }
    }

    /// The last element of each key.
    func last<Key: Hashable>(by key: (Element) -> Key?) -> [Key: Element] {
        reduce(into: [:]) { found, element in
            if let key = key(element) { found[key] = element }
        }
    }
}
