import Glibc
import KeyturnSystem
import MSAL

/// An ssh connection to a server, with a Unix socket there that leads to one here. A control socket lets ssh sign in once: for
/// the folder there, the forwarding, and the user's session.
struct SSHConnection: Sendable {
    let host: String
    /// The user's words: the host, and ssh's options and command.
    private let words: [String]
    /// Those of the options that reach the server.
    private let options: [String]
    private let control: String
    /// Whether programs there get no X11 display of this computer, also if ssh's configuration or the words give them one.
    var hidesDisplay = false
    let socket: String

    private static let withArgument = Set("BbcDEeFIiJLlmOopPQRSWw")
    private static let reaching = Set("46AaBbCcEFIiJKklmopPqvXxYy")
    /// They end ssh's client before its session, or connect by themselves.
    private static let unsuited = Set("fGMOQSVW")

    /// Throws for an option of ssh with which there is no session.
    init(_ words: [String], in environment: [String: String]) throws(UsageError) {
        host = words.first ?? ""
        guard !host.isEmpty, !host.hasPrefix("-") else { throw .missingOperand("HOST", command: "ssh") }
        self.words = words
        options = try Self.options(of: words.dropFirst())
        let folder = BaseDirectory.runtime(in: environment) + "/keyturn/ssh"
        (socket, control) = ("\(folder)/\(getpid()).socket", "\(folder)/\(getpid()).control")
    }

    private static func options(of words: ArraySlice<String>) throws(UsageError) -> [String] {
        var options: [String] = []
        var rest = words
        while let word = rest.popFirst(), word.hasPrefix("-"), word.count > 1, word != "--" {
            var letters = word.dropFirst()
            while let letter = letters.popFirst() {
                guard !unsuited.contains(letter) else {
                    throw .unknownOperand("-\(letter)", wanted: "other options of ssh", command: "ssh")
                }
                var option = "-\(letter)"
                if withArgument.contains(letter) {
                    option += letters.isEmpty ? rest.popFirst() ?? "" : String(letters)
                    letters = ""
                }
                if reaching.contains(letter) { options.append(option) }
            }
        }
        return options
    }

    /// The first of contradicting options counts.
    private var master: [String] { ["ssh", "-S", control.replacing("%", with: "%%")] + (hidesDisplay ? ["-x"] : []) }

    /// Whether programs of the server reach the display here, and with it a question in a window.
    var sharesDisplay: Bool { options.contains("-X") || options.contains("-Y") }

    var session: [String] { master + words }

    /// Only the socket is written there, in the folder of the login session. The user's shell can be any.
    private static let folderCommand =
        #"exec sh -c 'd="${XDG_RUNTIME_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}}/keyturn/carry"; "#
        + #"umask 077; mkdir -p "$d" && printf "\n%s\n" "$d"'"#

    /// Ends the connections of processes that were killed, and removes their sockets.
    private func removeLeftovers(_ environment: [String: String]) async {
        let folder = socket.parentFolder
        for entry in (try? PlainFile.names(in: folder)) ?? [] {
            let name = entry.name.split(separator: ".")
            // That of a container can have the folder, and process IDs of its own.
            guard let id = name.first.flatMap({ pid_t($0) }), kill(id, 0) != 0, errno == ESRCH,
                LocalStream.isAbandoned("\(folder)/\(id).socket")
            else { continue }
            let path = "\(folder)/\(entry.name)"
            if name.last == "control" {
                _ = await ExternalProgram.run(["ssh", "-S", path, "-O", "exit", "localhost"], environment: environment)
            }
            unlink(path)
        }
    }

    /// Connects, and returns the path of the socket there.
    func open(in environment: [String: String]) async throws -> String {
        await removeLeftovers(environment)
        let output = control + ".out"
        defer { unlink(output) }
        let connect =
            master + ["-o", "ControlMaster=yes", "-o", "ControlPersist=60", "-o", "RemoteCommand=none", "-nT"] + options
            + [host, Self.folderCommand]
        let exit = try await RunningProgram.run(
            ["sh", "-c", #"umask 077; exec "$@" >"$0""#, output] + connect, environment, closing: {})
        guard exit == .exited(0) else {
            let command = (["ssh"] + options + [host]).map(\.quotedForShell).joined(separator: " ")
            throw Failure(
                .network, name: "sshFailed", "ssh didn't connect to \(host), or can't make a folder there.",
                nextStep: "Try '\(command)' by itself.")
        }
        let text = (try? PlainFile.read(output, atMost: 1 << 16)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let folder = text.split(separator: "\n").last.map(String.init) ?? ""
        let remote = "\(folder)/\(Door.secret().prefix(8))"
        guard remote.wholeMatch(of: #/\/[A-Za-z0-9\/._@+-]{1,100}/#) != nil else {
            throw await closed(
                "The folder for the socket at \(host) has a path that ssh can't forward to.",
                "Set XDG_RUNTIME_DIR there to a shorter path without special characters.", environment)
        }
        guard await run(["-O", "forward", "-R", "\(remote):\(socket)", host], environment) else {
            throw await closed(
                "\(host) doesn't forward Unix sockets.",
                "Set AllowStreamLocalForwarding in its sshd_config(5).", environment)
        }
        return remote
    }

    private func run(_ arguments: [String], _ environment: [String: String]) async -> Bool {
        await ExternalProgram.run(master + arguments, environment: environment)?.status == 0
    }

    private func closed(_ reason: String, _ nextStep: String, _ environment: [String: String]) async -> Failure {
        await close(nil, in: environment)
        return Failure(.failed, name: "cannotCarry", reason, nextStep: nextStep)
    }

    /// Removes the socket there, which sshd leaves behind, and ends the connection.
    func close(_ remote: String?, in environment: [String: String]) async {
        // Without the connection, ssh would make another one.
        if let remote, await run(["-O", "check", host], environment) {
            _ = await run(["-o", "RemoteCommand=none", "-T", host, "rm -f \(remote)"], environment)
        }
        _ = await run(["-O", "exit", host], environment)
    }
}
