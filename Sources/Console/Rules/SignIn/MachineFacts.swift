/// The facts about the machine that determine which sign-in methods fit.
package struct MachineFacts: Sendable, Equatable {
    /// An ssh session (`SSH_CONNECTION`, ssh(1)).
    package struct SSH: Sendable, Equatable {
        /// This machine's address in the ssh connection; nil if unknown.
        package var server: String?
        package var port = 22
    }

    package var ssh: SSH?
    package var user: String?
    /// Whether X11 or Wayland is available.
    package var hasDisplay = false
    package var namesBrowser = false
    /// Whether the browser of the user's own computer opens pages, over ssh.
    package var lendsBrowser = false
    /// The editor in the browser of another machine that runs this terminal; `$BROWSER` then opens pages there.
    package var remoteEditor: String?
    package var isWSL = false
    package var isContainer = false
    /// Whether the terminal can't position text.
    package var isDumb = false
}

extension MachineFacts {
    /// - Parameter kernelRelease: the output of `uname -r`, which contains "microsoft" in WSL.
    package init(environment: [String: String], kernelRelease: String = "", isContainer: Bool = false) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let connection = value("SSH_CONNECTION")
        ssh = connection != nil || value("SSH_TTY") != nil ? SSH(connection: connection ?? "") : nil
        user = (value("USER") ?? value("LOGNAME")).flatMap { name in
            name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) } ? name : nil
        }
        hasDisplay = value("DISPLAY") != nil || value("WAYLAND_DISPLAY") != nil
        namesBrowser = value("BROWSER") != nil
        remoteEditor = Self.remoteEditors.first(where: { value($0.variable) != nil })?.name
        isWSL = value("WSL_DISTRO_NAME") != nil || kernelRelease.lowercased().contains("microsoft")
        self.isContainer = isContainer || value("container") != nil
        isDumb = value("TERM") == "dumb"
    }

    private static let remoteEditors: [(variable: String, name: String)] = [
        ("CODESPACES", "GitHub Codespaces"), ("GITPOD_WORKSPACE_ID", "Gitpod"),
        ("CODE_SERVER_SESSION_SOCKET", "code-server"), ("VSCODE_PROXY_URI", "code-server"),
    ]
}

extension MachineFacts.SSH {
    /// Parses `client-address client-port server-address server-port`. Ignores malformed addresses: they are shown.
    init(connection: String) {
        let words = connection.split(separator: " ")
        self.init()
        guard words.count == 4 else { return }
        if words[2].allSatisfy({ $0.isHexDigit || ".:".contains($0) }) { server = String(words[2]) }
        if let port = Int(words[3]), (1...65535).contains(port) { self.port = port }
    }
}
