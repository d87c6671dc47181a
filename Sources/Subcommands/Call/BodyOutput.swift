import Glibc
import KeyturnSystem
import MSAL
import OAuthCore

/// The destination of a response: of its body, standard output or a file; of its headers, what the user chose.
final class BodyOutput: Sendable {
    private let file: OutputFile?
    private let standard: any TextSink
    private let head: ResponseHead
    private struct State {
        var hasHead = false
        var opened: OutputFile.Opened?
        var last: UInt8?
        /// The beginning of a character that isn't complete.
        var held: [UInt8] = []
        var failure: TextSinkFailure?
        /// When the first piece of a body arrived that is only collected.
        var collectedSince: ContinuousClock.Instant?
        var slowStatus: Int?
    }

    private let state = Locked(State())

    init(path: String?, standard: any TextSink, head: ResponseHead = ResponseHead()) {
        (file, self.standard, self.head) = (path.map(OutputFile.init), standard, head)
    }

    var failure: TextSinkFailure? { state.withLock { $0.failure } }

    func takePiece(_ piece: [UInt8], of response: HTTPResponse) -> CurlTransport.BodyPiece {
        state.withLock { state in
            do throws(TextSinkFailure) {
                try writeHead(of: response, &state)
                try write(piece, &state)
                return .taken
            } catch {
                state.failure = error
                return .stop
            }
        }
    }

    /// Collects a piece of a redirect or a rejection, unless it takes too long: another request waits for it.
    func collectPiece(ofStatus status: Int, at now: ContinuousClock.Instant) -> CurlTransport.BodyPiece {
        state.withLock { state in
            state.collectedSince = state.collectedSince ?? now
            guard now - (state.collectedSince ?? now) > .seconds(Self.mostSecondsOfRejection) else { return .collected }
            state.slowStatus = status
            return .stop
        }
    }

    private static let mostSecondsOfRejection = 60

    var hasBody: Bool { state.withLock { $0.last != nil } }

    var leavesLineOpen: Bool {
        file == nil && standard.isTerminal && state.withLock { $0.last.map { $0 != UInt8(ascii: "\n") } ?? false }
    }

    private func write(_ piece: [UInt8], _ state: inout State) throws(TextSinkFailure) {
        state.last = piece.last ?? state.last
        try write(piece, to: sink(&state), &state)
    }

    private func sink(_ state: inout State) throws(TextSinkFailure) -> any TextSink {
        guard let file else { return standard }
        let opened = if let opened = state.opened { opened } else { try file.open() }
        state.opened = opened
        return opened.sink
    }

    private func writeHead(of response: HTTPResponse, _ state: inout State) throws(TextSinkFailure) {
        guard !state.hasHead else { return }
        state.hasHead = true
        let bytes = Array(response.head.utf8)
        if let file = head.file {
            let opened = try file.open()
            do throws(TextSinkFailure) { try opened.sink.write(bytes: bytes) } catch {
                opened.discard()
                throw error
            }
            try opened.finish()
        }
        if head.isPrinted { try write(bytes, to: standard, &state) }
        if head.isIncluded { try write(bytes, to: sink(&state), &state) }
    }

    private func write(_ piece: [UInt8], to sink: any TextSink, _ state: inout State) throws(TextSinkFailure) {
        try sink.write(bytes: sink.isTerminal ? Self.printable(piece, &state.held) : piece)
    }

    /// Throws if a file can't be written, before the request is sent: it may have an effect that can't be repeated.
    func check() throws(Failure) {
        try file?.check()
        try head.file?.check()
    }

    /// Removes what could change the terminal or the order of its text: control characters (C0 except tab and line feed, DEL,
    /// C1), bidirectional marks, and line and paragraph separators. Replaces bytes that aren't UTF-8: a terminal could read
    /// them as control characters, and those beside a removed character could make a new one. `held` is the beginning
    /// of an incomplete one.
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
            let scalar = length == 0 ? nil : String(validating: held, as: UTF8.self)?.unicodeScalars.first
            shown += scalar.map { isRemoved($0) ? [] : held } ?? replacement
            held = []
        }
        return shown
    }

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

    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    func finish(_ response: HTTPResponse) throws(TextSinkFailure) {
        try state.withLock { state throws(TextSinkFailure) in
            try writeHead(of: response, &state)
            if !response.body.isEmpty || file != nil { try write(response.body, &state) }
            if let failure = state.failure { throw failure }
            try replace(&state.opened, with: nil)?.finish()
        }
    }
}

extension BodyOutput {
    /// What wasn't finished doesn't replace an existing file.
    func close() { state.withLock { replace(&$0.opened, with: nil)?.discard() } }

    /// Sends a request, and writes its body while it arrives, unless another request follows.
    func send(_ call: APICall, by transport: CurlTransport) async throws -> HTTPResponse {
        state.withLock { $0.collectedSince = nil }
        do throws(TransportFailure) {
            return try await transport.send(call.request) { [self] head, piece in
                APICall.isRedirect(head) || call.challenge(in: head) != nil
                    ? collectPiece(ofStatus: head.status, at: .now) : takePiece(piece, of: head)
            }
        } catch {
            if let failure { throw failure }
            if let status = state.withLock({ $0.slowStatus }) {
                throw Failure(
                    .network, name: "timeout",
                    "\(call.url.hostAndPort) takes more than \(Self.mostSecondsOfRejection) s to send the body of HTTP \(status).",
                    nextStep: "Try again, or ask the API's operator.")
            }
            throw error
        }
    }

    /// A body may take any time while it arrives.
    /// - Parameter certificates: the profile's CA file; without one, the environment's.
    static func transport(certificates: String?, in environment: [String: String]) -> CurlTransport {
        CurlTransport(
            named: certificates, environment: environment,
            limits: .init(totalSeconds: .infinity, idleSeconds: 300, bodyBytes: 16 << 20))
    }
}

/// Where the status line and the headers of the last response go.
struct ResponseHead: Sendable {
    static let include = Option("include", short: "i")
    static let dump = Option("dump-header", short: "D", argument: "FILE")

    /// Whether they go where the body goes.
    private(set) var isIncluded = false
    private(set) var isPrinted = false
    private(set) var file: OutputFile?

    init(_ options: ParsedOptions, body: String?) throws(UsageError) {
        isIncluded = options.has(Self.include)
        guard let path = options[Self.dump] else { return }
        isPrinted = path == "-"
        file = isPrinted ? nil : OutputFile(path: path)
        guard path != body else {
            throw .badArgument(
                Self.dump, argument: path, wanted: "another file than --output, or --include for the same file")
        }
    }

    init() {}
}

extension HTTPResponse {
    /// The status line and the fields, as on the wire of HTTP/1.1.
    var head: String {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return "HTTP/\(version) \(status)\r\n\(fields)\r\n"
    }
}
