extension Array {
    /// The elements whose text contains all words of a search, in either case. A search without words matches all.
    func matching(_ search: String, text: (Element) -> String) -> [Element] {
        let words = search.lowercased().split(separator: " ")
        guard !words.isEmpty else { return self }
        return filter { element in
            let text = text(element).lowercased()
            return words.allSatisfy(text.contains)
        }
    }
}
