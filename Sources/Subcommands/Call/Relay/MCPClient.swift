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
        func document(_ list: String, type: JSONValue? = nil) -> String {
            let start = JSONValue(members: ["command": .string(program), "args": JSONValue(arguments), "type": type])
            return JSONValue.object([list: .object([name: start])]).document
        }
        return switch self {
        case .claudeDesktop, .cursor, .json: document("mcpServers")
        case .claudeCode: document("mcpServers", type: "stdio")
        case .vscode: document("servers", type: "stdio")
        // A string of JSON is one of TOML.
        case .codex:
            """
            [mcp_servers.\(name)]
            command = \(JSONValue.string(program).serialized)
            args = \(JSONValue(arguments).serialized)

            """
        }
    }
}
