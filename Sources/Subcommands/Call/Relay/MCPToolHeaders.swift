import JSON

/// The arguments of a server's tools that it wants in header fields, too, so that gateways can route by them (MCP 2026-07-28,
/// `x-mcp-header`).
struct MCPToolHeaders: Sendable, Equatable {
    private struct Field: Sendable, Equatable {
        var path: [String]
        var name: String
    }

    /// By the tool's name.
    private var tools: [String: [Field]] = [:]

    /// In bytes. A longer value stays out, and the server says what it misses.
    private static let longestValue = 4096
    private static let deepest = 8

    /// Notes the tools of a response to `tools/list`. Returns the response without those that declare an invalid header, which no
    /// client may offer, and their names; `nil` if there are none.
    mutating func note(_ response: [UInt8]) -> (rest: JSONValue, names: [String])? {
        guard var message = (try? JSONValue(parsing: response))?.object, var result = message["result"]?.object,
            var list = result["tools"]?.array
        else { return nil }
        var invalid: [String] = []
        list.removeAll { tool in
            guard let name = tool["name"]?.string else { return false }
            let fields = Self.fields(of: tool["inputSchema"], at: [])
            let areValid =
                Set(fields.map { $0.name.lowercased() }).count == fields.count
                && fields.allSatisfy { $0.name.utf8.count <= 64 && $0.name.isFieldName }
            tools[name] = areValid && !fields.isEmpty ? fields : nil
            if !areValid { invalid.append(name) }
            return !areValid
        }
        guard !invalid.isEmpty else { return nil }
        result["tools"] = .array(list)
        message["result"] = .object(result)
        return (.object(message), invalid)
    }

    /// The declarations of a schema. One that no chain of `properties` leads to is invalid, too: it may hold for no argument, or
    /// for many.
    private static func fields(of schema: JSONValue?, at path: [String]) -> [Field] {
        guard path.count < deepest else { return [] }
        let others = (schema?.object ?? [:]).filter { !["properties", "default", "examples", "enum"].contains($0.key) }
        let strays = others.values.contains(where: declares) || path.isEmpty && others[keyword] != nil
        return (strays ? [Field(path: path, name: "")] : []) + declared(in: schema, at: path)
    }

    private static let keyword = "x-mcp-header"

    private static func declares(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let members): members[keyword] != nil || members.values.contains(where: declares)
        case .array(let elements): elements.contains(where: declares)
        case .string, .integer, .large, .number, .bool, .null: false
        }
    }

    private static func declared(in schema: JSONValue?, at path: [String]) -> [Field] {
        (schema?["properties"]?.object ?? [:]).sorted { $0.key < $1.key }.flatMap { key, property in
            // A header has room for a string, a number or a fact. Without a name, the declaration is invalid.
            let isPlain = !["object", "array"].contains(property["type"]?.string)
            let own = property[keyword].map { Field(path: path + [key], name: isPlain ? $0.string ?? "" : "") }
            return [own].compactMap(\.self) + fields(of: property, at: path + [key])
        }
    }

    /// The fields for a call of a tool. Arguments that are missing or `null` have none.
    func values(for tool: String, in message: [UInt8]) -> [(name: String, value: String)] {
        guard let fields = tools[tool], let arguments = (try? JSONValue(parsing: message))?["params"]?["arguments"]
        else { return [] }
        return fields.compactMap { field in
            let argument = field.path.reduce(arguments as JSONValue?) { $0?[$1] }
            guard let value = argument.flatMap(Self.text), value.utf8.count <= Self.longestValue else { return nil }
            return ("Mcp-Param-\(field.name)", value)
        }
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .bool(let fact): fact ? "true" : "false"
        case .integer, .large, .number: value.serialized
        case .null, .array, .object: nil
        }
    }
}
