import Glibc
import LinuxAdapters
import Locks
import MSAL
import OAuthCore

/// The destination of a response's body: standard output, or a file that is created when the body arrives.
final class BodyOutput: Sendable {
    private let path: String?
    private let standard: any TextSink
    private struct State {
        var file: FileDescriptorSink?
        var last: UInt8?
        /// Whether the last byte can begin a C1 control in UTF-8.
        var isAfterC2 = false
        var failure: TextSinkFailure?
    }

    private let state = Locked(State())

    init(path: String?, standard: any TextSink) {
        self.path = path
        self.standard = standard
    }

    /// Why the body could not be written.
    var failure: TextSinkFailure? { state.withLock { $0.failure } }

    func take(_ piece: [UInt8]) -> CurlTransport.BodyPiece {
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
    var endsWithinLine: Bool {
        path == nil && standard.isTerminal && state.withLock { $0.last.map { $0 != UInt8(ascii: "\n") } ?? false }
    }

    private func write(_ piece: [UInt8], _ state: inout State) throws(TextSinkFailure) {
        state.last = piece.last ?? state.last
        guard let path else {
            return try standard.write(bytes: standard.isTerminal ? Self.printable(piece, &state.isAfterC2) : piece)
        }
        if state.file == nil {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
            guard descriptor >= 0 else { throw TextSinkFailure(code: errno, path: path) }
            state.file = FileDescriptorSink(descriptor: descriptor)
        }
        try state.file?.write(bytes: piece)
    }

    /// Removes control characters (C0 except tab and line feed, DEL, C1), which could change the terminal.
    static func printable(_ piece: [UInt8], _ isAfterC2: inout Bool) -> [UInt8] {
        var rest: [UInt8] = []
        for byte in piece {
            let isC1 = isAfterC2 && (0x80...0x9F).contains(byte)
            if isAfterC2, !isC1 { rest.append(0xC2) }
            isAfterC2 = byte == 0xC2
            if !isC1, !isAfterC2, byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0A { rest.append(byte) }
        }
        return rest
    }

    /// Writes what was kept of a body, and completes the file.
    func finish(_ kept: [UInt8]) throws(TextSinkFailure) {
        let failure = state.withLock { state -> TextSinkFailure? in
            do throws(TextSinkFailure) {
                if !kept.isEmpty || path != nil { try write(kept, &state) }
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
                return APICall.isRedirect(head) || isRepeated ? .kept : take(piece)
            }
        } catch {
            if let failure { throw failure }
            throw error
        }
    }

    /// Where `keyturn call` sends its requests.
    static func transport(certificates: String?) -> CurlTransport {
        CurlTransport(
            certificateAuthorityFile: certificates, limits: .init(totalSeconds: .infinity, bodyBytes: 16 << 20))
    }
}
