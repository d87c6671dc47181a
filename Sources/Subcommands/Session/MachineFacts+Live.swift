import Console
import Foundation
import Glibc

extension MachineFacts {
    /// This machine, as this process sees it.
    static var live: MachineFacts {
        // Container engines leave one of these (podman and docker).
        let marks: [String] = ["/run/.containerenv", "/.dockerenv"]
        let isContainer = marks.contains { access($0, F_OK) == 0 }
        return MachineFacts(
            environment: ProcessInfo.processInfo.environment, kernelRelease: kernelRelease, isContainer: isContainer)
    }

    static var kernelRelease: String {
        ((try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? "")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
