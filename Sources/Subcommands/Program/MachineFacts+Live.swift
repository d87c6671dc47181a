import Console
import Foundation
import Glibc

extension MachineFacts {
    /// This machine, as a process with this environment sees it.
    static func live(_ environment: [String: String]) -> MachineFacts {
        // Container engines leave one of these (podman and docker).
        let marks: [String] = ["/run/.containerenv", "/.dockerenv"]
        let isContainer = marks.contains { access($0, F_OK) == 0 }
        return MachineFacts(
            environment: environment, kernelRelease: kernelRelease, isContainer: isContainer)
    }

    /// Empty where the kernel does not say.
    static var kernelRelease: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        return withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
