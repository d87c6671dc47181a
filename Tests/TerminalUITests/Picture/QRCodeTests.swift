import Foundation
import TerminalUI
import TestSupport
import Testing

/// A foreign scanner reads the drawn codes.
@Suite("QR codes")
struct QRCodeTests {
    static let texts = [
        "https://microsoft.com/devicelogin", "http://127.0.0.1:8400/device?user_code=BCDF-GHJK",
        "https://login.example/device?user_code=WDJB-MJHT&ui_locales=de%20en", "ü 王小明",
    ]

    @Test("A scanner reads the half blocks", arguments: texts)
    func halfBlocks(text: String) throws {
        let code = try #require(QRCode(text))
        let lines = code.halfBlockLines()
        let rows = lines.flatMap { line in
            [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }]
        }
        #expect(try Scanner.read(rows) == text)
    }

    @Test("A scanner reads the ASCII picture", arguments: texts)
    func ascii(text: String) throws {
        let lines = try #require(QRCode(text)).asciiLines()
        let rows = lines.map { line in stride(from: 0, to: line.count, by: 2).map { Array(line)[$0] == "#" } }
        #expect(try Scanner.read(rows) == text)
    }

    @Test("A scanner reads it with half of the quiet zone, which is used where space is limited")
    func narrow() throws {
        let lines = try #require(QRCode(Self.texts[1])).halfBlockLines(quietZone: 2)
        let rows = lines.flatMap { line in [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }] }
        #expect(try Scanner.read(rows) == Self.texts[1])
    }

    @Test("The URL of a device code page fits beside its text at 80x24", arguments: texts.prefix(3))
    func fits(text: String) throws {
        let lines = try #require(QRCode(text)).halfBlockLines(quietZone: 2)
        #expect(1...19 ~= lines.count)
        #expect(lines.allSatisfy { DisplayWidth.of($0) == DisplayWidth.of(lines[0]) && DisplayWidth.of($0) <= 37 })
    }

    @Test func anOversizedTextHasNoCode() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: 3000)) == nil)
        #expect(QRCode(String(repeating: "x", count: 100_000)) == nil)
    }
}

/// Runs `zbarimg` on an image of eight pixels per module.
private enum Scanner {
    static func read(_ rows: [[Bool]]) throws -> String {
        let scale = 8
        let width = rows.map(\.count).max() ?? 0
        var pixels = Data("P5 \(width * scale) \(rows.count * scale) 255\n".utf8)
        for row in rows {
            let line = row.flatMap { Array(repeating: $0 ? UInt8(0) : 255, count: scale) }
            for _ in 0..<scale { pixels.append(contentsOf: line) }
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("keyturn-\(UUID().uuidString).pgm")
        try pixels.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let scanner = Process()
        scanner.executableURL = URL(fileURLWithPath: "/usr/bin/zbarimg")
        scanner.arguments = ["--quiet", "--raw", file.path]
        let output = Pipe()
        scanner.standardOutput = output
        scanner.standardError = FileHandle.nullDevice
        try scanner.run()
        let read = output.fileHandleForReading.readDataToEndOfFile()
        scanner.waitForEnd()
        return String(decoding: read, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
