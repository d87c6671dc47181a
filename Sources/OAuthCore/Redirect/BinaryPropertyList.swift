/// Parses a binary property list: a header, objects, a table of their offsets, and a trailer of 32 bytes.
///
/// Foundation's parsers crash on damaged data. This one follows no reference out of bounds or deeper than
/// `PropertyList.maximumDepth`, and reads at most `maximumObjects`, because objects can contain each other.
struct BinaryPropertyList {
    static let signature = Array("bplist".utf8)
    static let maximumObjects = 10_000
    private static let headerLength = 8
    private static let trailerLength = 32

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    private let tableStart: Int

    /// Returns `nil` when the trailer is invalid.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerLength
        guard trailer >= Self.headerLength, bytes.starts(with: Self.signature) else { return nil }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Self.number(bytes, at: trailer + 8, size: 8),
            let top = Self.number(bytes, at: trailer + 16, size: 8),
            let tableStart = Self.number(bytes, at: trailer + 24, size: 8),
            tableStart >= Self.headerLength, tableStart <= trailer, top < objectCount,
            objectCount <= (trailer - tableStart) / offsetSize
        else { return nil }
        self.objectCount = objectCount
        self.top = top
        self.tableStart = tableStart
    }

    /// The whole list, or `nil` when it is damaged.
    var root: PropertyList? {
        var budget = Self.maximumObjects
        return object(top, depth: 0, &budget)
    }

    private func object(_ index: Int, depth: Int, _ budget: inout Int) -> PropertyList? {
        budget -= 1
        guard budget >= 0, index < objectCount,
            let place = Self.number(bytes, at: tableStart + index * offsetSize, size: offsetSize),
            place >= Self.headerLength, place < tableStart
        else { return nil }
        guard depth < PropertyList.maximumDepth else { return .other }
        switch bytes[place] >> 4 {
        case 0x5: return text(at: place, unitSize: 1)
        case 0x6: return text(at: place, unitSize: 2)
        case 0xA: return list(at: place, depth, &budget)
        case 0xD: return dictionary(at: place, depth, &budget)
        default: return .other
        }
    }

    private func text(at place: Int, unitSize: Int) -> PropertyList? {
        guard let (count, start) = countAndStart(place), count <= (tableStart - start) / unitSize else { return nil }
        let raw = bytes[start..<start + count * unitSize]
        guard unitSize == 2 else { return .text(String(decoding: raw, as: UTF8.self)) }
        let units = stride(from: raw.startIndex, to: raw.endIndex, by: 2).map {
            UInt16(raw[$0]) << 8 | UInt16(raw[$0 + 1])
        }
        return .text(String(decoding: units, as: UTF16.self))
    }

    private func list(at place: Int, _ depth: Int, _ budget: inout Int) -> PropertyList? {
        guard let references = references(place, perElement: 1) else { return nil }
        var elements: [PropertyList] = []
        for reference in references {
            guard let element = object(reference, depth: depth + 1, &budget) else { return nil }
            elements.append(element)
        }
        return .list(elements)
    }

    /// Parses a dictionary: all keys, then all values. Ignores keys that aren't texts.
    private func dictionary(at place: Int, _ depth: Int, _ budget: inout Int) -> PropertyList? {
        guard let references = references(place, perElement: 2) else { return nil }
        let count = references.count / 2
        var members: [String: PropertyList] = [:]
        for (name, value) in zip(references.prefix(count), references.suffix(count)) {
            guard let name = object(name, depth: depth + 1, &budget),
                let value = object(value, depth: depth + 1, &budget)
            else { return nil }
            if let name = name.text { members[name] = value }
        }
        return .dictionary(members)
    }

    private func references(_ place: Int, perElement: Int) -> [Int]? {
        guard let (count, start) = countAndStart(place),
            count <= (tableStart - start) / (referenceSize * perElement)
        else { return nil }
        let references = (0..<count * perElement).compactMap {
            Self.number(bytes, at: start + $0 * referenceSize, size: referenceSize)
        }
        return references.count == count * perElement ? references : nil
    }

    /// The number of elements and the offset of the first. The number is in the marker or in an integer after it.
    private func countAndStart(_ place: Int) -> (count: Int, start: Int)? {
        let inMarker = Int(bytes[place] & 0x0F)
        guard inMarker == 0x0F else { return (inMarker, place + 1) }
        guard place + 1 < tableStart, bytes[place + 1] >> 4 == 0x1, bytes[place + 1] & 0x0F <= 3 else { return nil }
        let size = 1 << Int(bytes[place + 1] & 0x0F)
        let start = place + 2 + size
        guard start <= tableStart, let count = Self.number(bytes, at: place + 2, size: size) else { return nil }
        return (count, start)
    }

    /// A big-endian number, or `nil` when it is out of bounds or too large for a count or offset.
    private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> Int? {
        guard place >= 0, size <= bytes.count, place <= bytes.count - size else { return nil }
        let value = bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value <= UInt64(Int32.max) ? Int(value) : nil
    }
}
