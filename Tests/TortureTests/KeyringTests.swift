import Foundation
import Testing

/// The store's key in a working keyring, in broken ones, and in one that never responds. Each test has its own session
/// bus.
@Suite("Keyring")
struct KeyringTests {
    private let home: URL

    init() throws {
        home = FileManager.default.temporaryDirectory.appending(path: "keyring-\(UUID().uuidString)")
        for name in ["", "store", "run", "data"] {
            try FileManager.default.createDirectory(
                at: home.appending(path: name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    private var environment: [String: String] {
        [
            "HOME": home.path, "XDG_DATA_HOME": home.appending(path: "data").path,
            "XDG_RUNTIME_DIR": home.appending(path: "run").path,
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "STORE": home.appending(path: "store").path,
        ]
    }

    /// Runs a shell script on a separate bus.
    private func session(_ script: String, configuration: String? = nil) async throws -> (status: Int32, output: String)
    {
        defer { try? FileManager.default.removeItem(at: home) }
        let option = configuration.map { "--config-file=\($0)" } ?? ""
        return try await TortureTool.run(
            "dbus-run-session \(option) -- sh -c \"$SCRIPT\"",
            environment: environment.merging(["SCRIPT": script]) { _, new in new })
    }

    private static let unlock =
        #"eval "$(printf %s pw | gnome-keyring-daemon --unlock --components=secrets 2>/dev/null)"; "#

    @Test("Keeps the key in an unlocked keyring, with its own schema, label and attributes")
    func real() async throws {
        let (status, output) = try await session(
            Self.unlock + """
                "$TORTURE" worker store "$STORE" automatic && "$TORTURE" worker store "$STORE" automatic &&
                secret-tool search --all xdg:schema org.keyturn.DataKey 2>&1; ls "$STORE"
                """)
        #expect(status == 0, "\(output)")
        #expect(output.contains("keyring 1 Encrypted with a key in the keyring"), "\(output)")
        #expect(output.contains("label = Key of the token cache"), "\(output)")
        #expect(output.contains("attribute.store") && output.contains("attribute.key-id"), "\(output)")
        #expect(!output.contains(".key\n"), "\(output)")
    }

    @Test("Moves the key from a key file into the keyring and back, and leaves no copy behind")
    func move() async throws {
        let (status, output) = try await session(
            Self.unlock + """
                for place in keyFile secretService keyFile; do
                    "$TORTURE" worker store "$STORE" $place && ls "$STORE" | grep -c '[.]key$'
                    secret-tool search --all xdg:schema org.keyturn.DataKey 2>/dev/null | grep -c '^label'
                done; true
                """)
        #expect(status == 0)
        // The bus prints a warning when it may not raise its limits.
        let lines = output.split(separator: "\n").filter { !$0.hasPrefix("dbus-daemon") }
        #expect(
            lines.map { $0.split(separator: " ").first.map(String.init) }
                == ["keyFile", "1", "0", "keyring", "0", "1", "keyFile", "1", "0"], "\(output)")
    }

    @Test("A key in a keyring that is gone or locked is an error and not a new key")
    func locked() async throws {
        let (_, output) = try await session(
            Self.unlock + """
                "$TORTURE" worker store "$STORE" automatic
                dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
                    org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null
                "$TORTURE" worker store "$STORE" automatic
                DBUS_SESSION_BUS_ADDRESS= "$TORTURE" worker store "$STORE" automatic
                ls "$STORE"
                """)
        #expect(output.contains("keyring 1"), "\(output)")
        #expect(output.contains("The keyring of this session is locked. Unlock it with"), "\(output)")
        #expect(output.contains("There is no session bus."), "\(output)")
        #expect(!output.contains(".key\n") && !output.contains("set-aside"), "\(output)")
    }

    @Test("The token caches of other programs are found by their attributes, and read unchanged")
    func others() async throws {
        let (status, output) = try await session(
            Self.unlock + """
                put() { label=$1; shift; printf %s "$PAYLOAD" | secret-tool store --label="$label" "$@"; }
                PAYLOAD='{"Account":{}}' put MSALCache MsalClientID Microsoft.Developer.IdentityService
                PAYLOAD=eyJBY2NvdW50Ijp7fX0= put MSALCache MsalClientID Microsoft.Developer.IdentityService \
                    Microsoft.Developer.IdentityService 1.0.0.0
                PAYLOAD='{"Account":{}}' put "Microsoft Azure CLI" type "Token cache"
                PAYLOAD=e30= put "MSAL token cache" Version 1 xdg:schema com.microsoft.identity.tokencache
                PAYLOAD=secret put Mail account ann
                "$TORTURE" worker known "$STORE" automatic; echo "status $?"
                secret-tool search --all type "Token cache" 2>&1 | grep -c '^secret = {"Account":{}}$'
                DBUS_SESSION_BUS_ADDRESS= "$TORTURE" worker known "$STORE" automatic; echo "without a bus $?"
                """)
        #expect(status == 0, "\(output)")
        let developer = output.components(separatedBy: "azure-identity, Azure.Identity or Git Credential Manager: ")
        #expect(developer.count == 3, "\(output)")
        #expect(output.contains("20 bytes") && output.contains("14 bytes"), "\(output)")
        #expect(output.contains("Azure CLI: "), "\(output)")
        #expect(output.contains("AzureAuth: com.microsoft.identity.tokencache, 4 bytes"), "\(output)")
        #expect(!output.contains("6 bytes") && !output.contains("CRITICAL"), "\(output)")
        #expect(output.contains("status 0\n1\nwithout a bus 0"), "\(output)")
    }

    @Test("Without a bus, or with a bus without a keyring, a new store gets a key file and names the reason")
    func none() async throws {
        let configuration = home.appending(path: "bus.conf").path
        try Data(
            """
            <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
            """.utf8
        ).write(to: URL(filePath: configuration))
        let (status, output) = try await session(
            """
            "$TORTURE" worker store "$STORE" automatic
            mkdir -m 700 "$STORE/second"; DBUS_SESSION_BUS_ADDRESS= "$TORTURE" worker store "$STORE/second" automatic
            """, configuration: configuration)
        #expect(status == 0, "\(output)")
        #expect(output.contains("keyFile 1"), "\(output)")
        #expect(output.contains("No keyring (Secret Service) is on the session bus."), "\(output)")
        #expect(output.contains("There is no session bus."), "\(output)")
    }

    @Test("A keyring that was never set up counts as absent")
    func withoutCollection() async throws {
        let (status, output) = try await session(#""$TORTURE" worker store "$STORE" automatic"#)
        #expect(status == 0, "\(output)")
        #expect(output.contains("keyFile 1") && output.contains("has no default collection."), "\(output)")
    }

    /// Takes the name of the Secret Service and reads nothing from then on, like KeePassXC without a window.
    private static let silent = """
        mkfifo "$HOME/ready"
        /usr/bin/python3 -c 'import dbus, sys, time; bus = dbus.SessionBus(); bus.request_name("org.freedesktop.secrets")
        print("here", flush=True); time.sleep(float(sys.argv[1]))' %s > "$HOME/ready" &
        read -r answer < "$HOME/ready"; echo "the silent keyring is $answer"
        """

    @Test("A keyring that does not respond costs three seconds and creates no key file")
    func silence() async throws {
        let (status, output) = try await session(
            Self.silent.replacingOccurrences(of: "%s", with: "60")
                + "\n" + #""$TORTURE" worker store "$STORE" automatic; echo $?; ls "$STORE"; kill $!"#)
        #expect(output.contains("did not respond within 3.0 seconds."), "\(status) \(output)")
        #expect(output.contains("\n1\n") && !output.contains(".key\n"), "\(output)")
    }

    @Test("A keyring that ends during a request is an error, at once")
    func death() async throws {
        let (status, output) = try await session(
            Self.silent.replacingOccurrences(of: "%s", with: "1")
                + "\n" + #""$TORTURE" worker store "$STORE" automatic; echo $?; ls "$STORE""#)
        #expect(output.contains("exited before it responded."), "\(status) \(output)")
        #expect(output.contains("\n1\n") && !output.contains(".key\n"), "\(output)")
    }
}
