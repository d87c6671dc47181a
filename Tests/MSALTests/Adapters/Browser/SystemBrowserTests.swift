import Foundation
import Glibc
import KeyturnSystem
import TestSupport
import Testing

@testable import MSAL

@Suite("Browser commands")
struct BrowserCommandsTests {
    @Test(
        "Come from $BROWSER, else from xdg-open",
        arguments: [
            (nil, [["xdg-open", "A"]]),
            ("", [["xdg-open", "A"]]),
            (" : ", [["xdg-open", "A"]]),
            ("w3m", [["w3m", "A"]]),
            ("firefox -P work", [["firefox", "-P", "work", "A"]]),
            ("links %s:w3m", [["links", "A"], ["w3m", "A"]]),
            ("open --url=%s --new", [["open", "--url=A", "--new"]]),
            ("/opt/My Browser/run", [["/opt/My Browser/run", "A"]]),
            ("/opt/other one", [["/opt/other", "one", "A"]]),
            ("echo $(id)", [["echo", "$(id)", "A"]]),
            (
                #""/mnt/c/Program Files/firefox" -P work:w3m"#,
                [["/mnt/c/Program Files/firefox", "-P", "work", "A"], ["w3m", "A"]]
            ),
            (#"'/opt/a:b/run' "%s""#, [["/opt/a:b/run", "A"]]),
            (#"/opt/My\ Own/run ''"#, [["/opt/My Own/run", "", "A"]]),
            (#"sh -c "echo 'x' \"y\"""#, [["sh", "-c", #"echo 'x' "y""#, "A"]]), ("it's", [["it's", "A"]]),
            (#"a "b c"#, [["a", "\"b", "c", "A"]]), (#"C:\x"#, [["C", "A"], [#"\x"#, "A"]]),
        ] as [(String?, [[String]])])
    func commands(browser: String?, expected: [[String]]) {
        let commands = BrowserCommands(
            environment: ["BROWSER": browser ?? "", "DISPLAY": ":0"], address: "A",
            isExecutable: { $0 == "/opt/My Browser/run" })
        #expect(commands.commands == expected)
    }

    @Test("The configured command overrides $BROWSER")
    func configured() {
        let environment = ["BROWSER": "w3m"]
        let two = BrowserCommands(configured: "lynx:links", environment: environment, address: "A")
        #expect(two.commands == [["lynx", "A"], ["links", "A"]])
        #expect(BrowserCommands(configured: " ", environment: environment, address: "A").commands == [["w3m", "A"]])
    }

    @Test(
        "In the Windows Subsystem for Linux the browser is Windows's, and a URL can't become a command there",
        arguments: ["WSL_DISTRO_NAME", "WSL_INTEROP"])
    func windows(variable: String) {
        let commands = BrowserCommands(environment: [variable: "x"], address: "https://a/?b=';calc;'&c").commands
        #expect(commands.map(\.first) == ["wslview", "powershell.exe"])
        #expect(commands[1].last == "Start-Process -FilePath 'https://a/?b='';calc;''&c'")
        #expect(BrowserCommands(environment: [variable: ""], address: "A").commands.isEmpty)
    }

    @Test(
        "The system's browser needs a display; a configured command does not",
        arguments: [
            ([:], [], false), (["DISPLAY": ""], [], false), (["DISPLAY": ":0"], [["xdg-open", "A"]], false),
            (["WAYLAND_DISPLAY": "wayland-0"], [["xdg-open", "A"]], false), (["BROWSER": "w3m"], [["w3m", "A"]], true),
        ] as [([String: String], [[String]], Bool)])
    func display(environment: [String: String], expected: [[String]], isChosen: Bool) {
        let commands = BrowserCommands(environment: environment, address: "A")
        #expect(commands.commands == expected)
        #expect(commands.isChosen == isChosen)
    }

    @Test(
        "A private window is requested from browsers that support it",
        arguments: [
            ("firefox", ["firefox", "--private-window", "A"]),
            ("firefox-esr", ["firefox-esr", "--private-window", "A"]),
            ("/usr/bin/chromium --app=%s", ["/usr/bin/chromium", "--incognito", "--app=A"]),
            ("google-chrome-stable", ["google-chrome-stable", "--incognito", "A"]),
            ("microsoft-edge", ["microsoft-edge", "--inprivate", "A"]),
            ("brave --incognito", ["brave", "--incognito", "A"]), ("w3m", ["w3m", "A"]),
            ("firefoxy", ["firefoxy", "A"]),
        ])
    func privately(browser: String, command: [String]) {
        let commands = BrowserCommands(environment: ["BROWSER": browser], address: "A", isPrivate: true)
        #expect(commands.commands == [command])
        let open = BrowserCommands(environment: ["BROWSER": "firefox"], address: "A")
        #expect(open.commands == [["firefox", "A"]])
    }
}

@Suite("System browser", .timeLimit(.minutes(10)))
struct SystemBrowserTests {
    private static let path = "/usr/bin:/bin"

    private func open(
        _ browser: String, patience: Double = 60, address: String = "https://example.com/",
        lendTerminal: TerminalLender? = nil
    ) async throws {
        let url = try #require(URL(string: address))
        let environment = ["BROWSER": browser, "PATH": Self.path]
        try await SystemBrowser(environment: environment, patience: patience).open(
            BrowserPage(url: url, lendTerminal: lendTerminal))
    }

    @Test("Passes the URL as one argument, without a shell, in a new session, without a terminal")
    func argument() async throws {
        let folder = try TemporaryFolder()
        let script = try folder.script(
            "browser",
            """
            cd '\(folder.url.path)'
            printf '%s\\n' "$#" "$1" > said
            ps -o sid= -p $$ | tr -d ' ' > session
            echo $$ > process
            files=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)
            printf '%s\\n' "$files" > files
            """)
        let address = "https://example.com/?a=1&b=$(id);c='%20'%22"
        try await open(script, address: address)
        func read(_ name: String) throws -> [String] {
            try String(contentsOf: folder.file(name), encoding: .utf8).split(separator: "\n").map(String.init)
        }
        let url = try #require(URL(string: address))
        #expect(try read("said") == ["1", url.absoluteString])
        #expect(try read("session") == read("process"))
        #expect(try read("files") == ["/dev/null", "/dev/null", "/dev/null"])
    }

    @Test(
        "A missing or failing launcher is reported with the cause, and whether the page can be open nevertheless",
        arguments: [
            ("/nonexistent/browser", "the program doesn't exist", .noBrowser),
            ("false", "false failed with status 1", .commandFailed),
            ("/nonexistent/one:false", "the program doesn't exist", .commandFailed),
            ("w3m", "w3m needs a terminal", .noBrowser), ("/usr/bin/lynx %s:false", "false failed", .commandFailed),
            ("sh -c 'exit 127'", "sh found no program to start", .noBrowser),
        ] as [(String, String, BrowserLaunchFailure.Kind)])
    func failing(browser: String, reason: String, kind: BrowserLaunchFailure.Kind) async throws {
        let failure = await #expect(throws: BrowserLaunchFailure.self) { try await open(browser) }
        #expect(failure?.reason.contains(reason) == true)
        #expect(failure?.kind == kind)
    }

    @Test(
        "The status of xdg-open says whether it found a browser",
        arguments: [(3, BrowserLaunchFailure.Kind.noBrowser), (4, .commandFailed)])
    func desktop(status: Int, kind: BrowserLaunchFailure.Kind) async throws {
        let folder = try TemporaryFolder()
        let script = folder.file("xdg-open").path
        _ = try folder.script("xdg-open", "#!/bin/sh\nexit \(status)")
        try #require(chmod(script, 0o700) == 0)
        let failure = await #expect(throws: BrowserLaunchFailure.self) { try await open(script) }
        #expect(failure?.kind == kind)
    }

    @Test(
        "Without a display and a command, no browser is started",
        arguments: [[:], ["DISPLAY": ":0"]] as [[String: String]])
    func noBrowser(environment: [String: String]) async throws {
        let url = try #require(URL(string: "https://example.com/"))
        let browser = SystemBrowser(environment: environment.merging(["PATH": "/nonexistent"]) { $1 })
        let failure = await #expect(throws: BrowserLaunchFailure.self) { try await browser.open(BrowserPage(url: url)) }
        #expect(failure?.kind == .noBrowser)
        #expect(failure?.reason.isEmpty == false)
        let chosen = await #expect(throws: BrowserLaunchFailure.self) { try await open("false") }
        #expect(chosen?.kind == .commandFailed)
    }

    /// A command with the name of a text browser that runs `text`.
    private func textBrowser(_ text: String, in folder: TemporaryFolder) throws -> String {
        let shell = folder.file("w3m")
        try FileManager.default.createSymbolicLink(at: shell, withDestinationURL: URL(filePath: "/bin/sh"))
        try Data("\(text)\n".utf8).write(to: folder.file("script"))
        return "\(shell.path) \(folder.file("script").path)"
    }

    @Test("A browser that other users can change is not started")
    func changeable() async throws {
        let folder = try TemporaryFolder()
        try folder.place("browser", Data("#!/bin/sh\ntouch '\(folder.file("started").path)'\n".utf8))
        let browser = folder.file("browser").path
        try #require(chmod(browser, 0o777) == 0)
        let failure = await #expect(throws: BrowserLaunchFailure.self) { try await open(browser) }
        #expect(failure?.reason.contains("every user of this computer can change it") == true)
        #expect(failure?.reason.contains("chmod o-w") == true)
        #expect(access(folder.file("started").path, F_OK) != 0)
    }

    @Test("A text browser runs in this process's session while the terminal is lent")
    func textBrowser() async throws {
        let folder = try TemporaryFolder()
        let said = folder.file("said")
        let browser = try textBrowser("ps -o sid= -p $$ | tr -d ' ' >\(said.path); echo $1 >>\(said.path)", in: folder)
        let existed = Locked<[Bool]>([])
        try await open(browser) { browse in
            existed.withLock { $0.append(FileManager.default.fileExists(atPath: said.path)) }
            await browse()
            existed.withLock { $0.append(FileManager.default.fileExists(atPath: said.path)) }
        }
        #expect(existed.withLock { $0 } == [false, true])
        let text = try String(contentsOf: said, encoding: .utf8)
        #expect(text == "\(getsid(0))\nhttps://example.com/\n")
    }

    @Test("A failing text browser is reported with the cause")
    func failingTextBrowser() async throws {
        let folder = try TemporaryFolder()
        let browser = try textBrowser("exit 3", in: folder)
        let failure = await #expect(throws: BrowserLaunchFailure.self) { try await open(browser) { await $0() } }
        #expect(failure?.reason.hasSuffix("w3m failed with status 3.") == true)
    }

    @Test("A text browser is stopped and collected when the wait ends")
    func endedTextBrowser() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("process")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let browser = try textBrowser("echo $$ >\(pipe.path); exec sleep 600", in: folder)
        let opening = Task { try await open(browser) { await $0() } }
        // Opening the pipe waits for its writer.
        let written = try await RawClient.off { try FileHandle(forReadingFrom: pipe).readToEnd() }
        let identifier = String(decoding: written ?? Data(), as: UTF8.self)
        opening.cancel()
        try await opening.value
        let process = try #require(pid_t(identifier.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("A killed launcher counts as failed")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let script = try folder.script("browser", "kill -9 $$")
        let failure = await #expect(throws: BrowserLaunchFailure.self) { try await open(script) }
        #expect(failure?.reason.contains("signal 9") == true)
    }

    @Test("When one command fails, the next is tried")
    func list() async throws {
        try await open("/nonexistent/browser:false:true")
    }

    @Test("A launcher that keeps running is a success, and leaves no zombie when it ends")
    func running() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe").path
        let script = try folder.script(
            "browser",
            """
            mkfifo '\(pipe)'
            echo $$ > '\(pipe).pid.new' && mv '\(pipe).pid.new' '\(pipe).pid'
            read x < '\(pipe)'
            """)
        try await open(script, patience: 0)
        try await wait(until: "the browser runs") { FileManager.default.fileExists(atPath: "\(pipe).pid") }
        let identifier = try String(contentsOfFile: "\(pipe).pid", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let process = "/proc/\(identifier)"
        #expect(FileManager.default.fileExists(atPath: process))
        try Data("end\n".utf8).write(to: URL(filePath: pipe), options: [])
        // A zombie would stay.
        try await wait(until: "the browser has ended and was reaped") {
            !FileManager.default.fileExists(atPath: process)
        }
    }
}
