import JSON

/// A client of the Model Context Protocol whose configuration file names the programs that it starts.
enum MCPClient: String, CaseIterable, Sendable {
    case claudeCode = "claude-code"
    case claudeDesktop = "claude-desktop"
    case codex
    case cursor
    case vscode
    /// Most others.
    case json

    func lines(name: String, program: String, _ arguments: [String]) -> String {
        let name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        let start: [String: JSONValue] = ["command": .string(program), "args": JSONValue(arguments)]
        switch self {
        case .claudeDesktop, .cursor, .json: return Self.document("mcpServers", name, start)
        case .claudeCode: return Self.document("mcpServers", name, Self.typed(start))
        case .vscode: return Self.document("servers", name, Self.typed(start))
        case .codex:
            // A string of JSON is one of TOML.
            return """
                [mcp_servers.\(name)]
                command = \(JSONValue.string(program).serialized)
                args = \(JSONValue(arguments).serialized)

                """
        }
    }

    private static func typed(_ start: [String: JSONValue]) -> [String: JSONValue] {
        start.merging(["type": "stdio"]) { $1 }
    }

    private static func document(_ list: String, _ name: String, _ start: [String: JSONValue]) -> String {
        JSONValue.object([list: .object([name: .object(start)])]).document
    }
}
