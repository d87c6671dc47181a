/// The parts of a path. The methods of `NSString` stop the program for a name of one character, such as `a`.
extension String {
    /// The folder of the file: empty for a name alone, as for the current folder. The root is its own folder.
    package var parentFolder: String {
        let path = withoutFinalSlashes
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return hasPrefix("/") ? "/" : "" }
        let folder = path[..<slash].withoutFinalSlashes
        return folder.isEmpty ? "/" : String(folder)
    }

    /// The name of the file in its folder; empty for the root.
    package var fileName: String {
        let path = withoutFinalSlashes
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(path) }
        return String(path[path.utf8.index(after: slash)...])
    }
}

extension StringProtocol where SubSequence == Substring {
    fileprivate var withoutFinalSlashes: Substring {
        var rest = self[...]
        while rest.utf8.last == UInt8(ascii: "/") { rest.removeLast() }
        return rest
    }
}
