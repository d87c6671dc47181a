/// A shared library that is missing or damaged: the one that was loaded, or one that it needs.
package struct UnusableLibrary: Sendable, Equatable {
    /// The file's name, for example "libssl.so.3".
    package let file: String

    /// - Parameter message: the message of dlerror(3), which begins with the file; `nil` if it names none.
    package init?(loaderMessage message: String) {
        guard let end = message.firstRange(of: ": ")?.lowerBound else { return nil }
        let name = message[..<end].split(separator: "/").last.map(String.init) ?? ""
        guard name.hasPrefix("lib"), name.contains(".so.") else { return nil }
        file = name
    }

    /// The Debian package, whose name follows from the file's (Debian Policy §8.1).
    package var package: String {
        guard let point = file.firstRange(of: ".so.") else { return file }
        let name = file[..<point.lowerBound], version = file[point.upperBound...]
        // OpenSSL's two libraries are in one package.
        if name == "libcrypto" { return "libssl\(version)" }
        return name.map { $0 == "_" ? "-" : $0.lowercased() }.joined() + (name.last?.isNumber == true ? "-" : "")
            + version
    }
}
