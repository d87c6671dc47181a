import Foundation

/// A running keyturn command that gives another program tokens or requests with tokens (docs/programs.md).
package struct OpenDoor: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case carried, gate, managedIdentity, mcp, tokenFile

        var title: String {
            switch self {
            case .carried: "carried tokens"
            case .gate: "gate"
            case .managedIdentity: "managed identity"
            case .mcp: "MCP server"
            case .tokenFile: "token file"
            }
        }
    }

    package var process: Int32
    package var kind: Kind
    /// The command that the door is for; empty if any program can use it.
    package var program: String
    /// Where the tokens go: an origin, or the path of a file.
    package var place: String
    package var openedAt: Date
    package var lastRequestAt: Date?
    package var port = 0
    /// The requests that it lets through; empty for all.
    package var allowed: [String] = []
    package var (requests, running, rejected) = (0, 0, 0)

    package init(process: Int32, kind: Kind, program: String, place: String, openedAt: Date) {
        (self.process, self.kind, self.program) = (process, kind, program)
        (self.place, self.openedAt) = (place, openedAt)
    }

    var useInWords: String {
        guard kind != .tokenFile else { return "" }
        let rejections = rejected == 0 ? "" : ", \(rejected) rejected"
        return Moment.count(requests, "request") + (running == 0 ? "" : ", \(running) in progress") + rejections
    }

    var number: String { (port == 0 ? "" : "port \(port), ") + "process \(process)" }
}
