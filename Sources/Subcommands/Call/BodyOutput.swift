import Glibc
import KeyturnSystem
import MSAL
import OAuthCore

/// The destination of a response's body: standard output, or a file that is created when the body arrives.
final class BodyOutput: Sendable {
    private let path: String?
    private let standard: any TextSink
    private struct State {
        var file: FileDescriptorSink?
        var last: UInt8?
        /// The beginning of a character that isn't complete.
        var held: [UInt8] = []
        var failure: TextSinkFailure?
    }

    private let state = Locked(State())

    init(path: String?, standard: any TextSink) {
        self.path = path
        self.standard = standard
    }

    /// Why the body could not be written.
    var failure: TextSinkFailure? { state.withLock { $0.failure } }

    func takePiece(_ piece: [UInt8]) -> CurlTransport.BodyPiece {
        state.withLock { state in
            do throws(TextSinkFailure) {
                try write(piece, &state)
                return .taken
            } catch {
                state.failure = error
                return .stop
            }
        }
    }

    /// Whether a body arrived.
    var hasBody: Bool { state.withLock { $0.last != nil } }

    /// Whether the terminal's cursor is within a line.
    var leavesLineOpen: Bool {
        path == nil && standard.isTerminal && state.withLock { $0.last.map { $0 != UInt8(ascii: "\n") } ?? false }
    }

    private func write(_ piece: [UInt8], _ state: inout State) throws(TextSinkFailure) {
        state.last = piece.last ?? state.last
        guard let path else {
            return try write(piece, to: standard, &state)
        }
        if state.file == nil { state.file = try Self.open(path) }
        if let file = state.file { try write(piece, to: file, &state) }
    }

    private func write(_ piece: [UInt8], to sink: any TextSink, _ state: inout State) throws(TextSinkFailure) {
        try sink.write(bytes: sink.isTerminal ? Self.printable(piece, &state.held) : piece)
    }

    private static func open(_ path: String) throws(TextSinkFailure) -> FileDescriptorSink {
        // Without O_NONBLOCK, opening a FIFO would wait.
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw TextSinkFailure(code: errno, path: path) }
        return FileDescriptorSink(descriptor: descriptor)
    }

    /// Throws if the file can't be written, before the request is sent: it may have an effect that can't be repeated.
    func check() throws(Failure) {
        guard let path else { return }
        var status = stat()
        guard stat(path, &status) == 0 else {
            let folder = path.parentFolder
            guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else {
                throw .unwritable(path, errno, name: "output")
            }
            return
        }
        switch status.st_mode & S_IFMT {
        // A device such as /dev/null has an end; a FIFO waits for a reader.
        case S_IFREG, S_IFCHR: break
        case S_IFDIR: throw .unwritable(path, EISDIR, name: "output")
        default:
            throw Failure(
                .failed, name: "output", "\(path) is not a regular file.", nextStep: "Use another file.")
        }
        guard access(path, W_OK) == 0 else { throw .unwritable(path, errno, name: "output") }
    }

    /// Removes what could change the terminal or the order of its text: control characters (C0 except tab and line feed, DEL,
    /// C1), bidirectional marks, and line and paragraph separators. Replaces bytes that aren't UTF-8: a terminal could read
    /// them as control characters, and those beside a removed character could make a new one.
    ///
    /// - Parameter held: the beginning of a character that isn't complete.
    static func printable(_ piece: [UInt8], _ held: inout [UInt8]) -> [UInt8] {
        var shown: [UInt8] = []
        for byte in piece {
            if !held.isEmpty, byte & 0xC0 != 0x80 {
                shown += replacement
                held = []
            }
            held.append(byte)
            let length = length(ofCharacterFrom: held[0])
            guard held.count >= length else { continue }
            if length == 0 || String(validating: held, as: UTF8.self) == nil {
                shown += replacement
            } else if !isRemoved(held) {
                shown += held
            }
            held = []
        }
        return shown
    }

    /// U+FFFD.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// The number of bytes of a character in UTF-8 (RFC 3629 §4), or 0 if none begins so.
    private static func length(ofCharacterFrom byte: UInt8) -> Int {
        switch byte {
        case ..<0x80: 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    private static func isRemoved(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes.count) {
        case (0x09, 1), (0x0A, 1): false
        case (..<0x20, 1), (0x7F, 1): true
        case (0xC2, 2): (0x80...0x9F).contains(bytes[1])
        // U+061C
        case (0xD8, 2): bytes[1] == 0x9C
        // U+200E, U+200F and U+2028 to U+202E
        case (0xE2, 3) where bytes[1] == 0x80: [0x8E, 0x8F].contains(bytes[2]) || (0xA8...0xAE).contains(bytes[2])
        // U+2066 to U+2069
        case (0xE2, 3) where bytes[1] == 0x81: (0xA6...0xA9).contains(bytes[2])
        default: false
        }
    }

    /// Writes what was kept of a body, and completes the file.
    func finish(_ held: [UInt8]) throws(TextSinkFailure) {
        let failure = state.withLock { state -> TextSinkFailure? in
            do throws(TextSinkFailure) {
                if !held.isEmpty || path != nil { try write(held, &state) }
            } catch {
                return error
            }
            if let file = state.file { close(file.descriptor) }
            state.file = nil
            return state.failure
        }
        if let failure { throw failure }
    }
}

extension BodyOutput {
    /// Sends a request, and writes its body while it arrives, unless another request follows.
    func send(_ call: APICall, mayRepeat: Bool, by transport: CurlTransport) async throws -> HTTPResponse {
        do throws(TransportFailure) {
            return try await transport.send(call.request) { [self] head, piece in
                let isRepeated = mayRepeat && call.challenge(in: head) != nil
                return APICall.isRedirect(head) || isRepeated ? .collected : takePiece(piece)
            }
        } catch {
            if let failure { throw failure }
            throw error
        }
    }

    /// Where `keyturn call` sends its requests.
    /// - Parameter certificates: the profile's CA file; without one, the environment's.
    static func transport(certificates: String?, in environment: [String: String]) -> CurlTransport {
        CurlTransport(
            certificateAuthorityFile: CurlTransport.authorities(named: certificates, environment: environment),
            limits: .init(totalSeconds: .infinity, bodyBytes: 16 << 20))
    }
}
