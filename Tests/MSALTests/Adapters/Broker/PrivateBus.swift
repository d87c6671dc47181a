import Foundation
import TestSupport
import Testing

/// A session bus for one test, and the programs on it.
final class PrivateBus {
    let environment: [String: String]
    private let daemon = Process()
    private var owners: [Process] = []

    init() throws {
        let output = Pipe()
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        daemon.arguments = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
        daemon.standardOutput = output
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        let address = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        environment = ["DBUS_SESSION_BUS_ADDRESS": address.trimmingCharacters(in: .whitespacesAndNewlines)]
    }

    /// Takes the broker's name with a program that never responds. The name is taken when this returns.
    func takeName() throws {
        let owner = Process()
        let output = Pipe()
        owner.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        owner.arguments = [
            "-c",
            """
            import dbus, signal
            bus = dbus.SessionBus()
            bus.request_name("com.microsoft.identity.broker1")
            print("taken", flush=True)
            signal.pause()
            """,
        ]
        owner.environment = environment
        owner.standardOutput = output
        try owner.run()
        owners.append(owner)
        try #require(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "taken\n")
    }

    func close() {
        for process in owners + [daemon] {
            // Children of the test threads have the other signals blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitForEnd()
        }
    }
}
