import Diagnosis
import Foundation
import Glibc
import KeyturnSystem
import MSAL

/// What a user wants explained: the file that a text names, or the text itself.
struct EvidenceInput {
    let bytes: [UInt8]
    let name: String
    /// The text, if it isn't a file.
    private let text: String?

    init(standardInput text: String) { (bytes, name, self.text) = (Array(text.utf8), "the file", nil) }

    init(_ text: String) throws(Failure) {
        if let file = try Self.file(text) {
            (bytes, name, self.text) = (file, text, nil)
        } else {
            (bytes, name, self.text) = (Array(text.utf8), "the text", text)
        }
    }

    var isFile: Bool { text == nil }

    /// - Parameter option: names the file. The name isn't repeated, because it can be a secret.
    func requireFile(_ option: String) throws(Failure) {
        if text != nil { throw Self.missing("The file for \(option)") }
    }

    /// - Parameter option: names the file; nil for the operand.
    func requireRecording(_ option: String? = nil) throws(Failure) {
        if let text, text.namesFile { throw Self.missing() }
        guard Explainer.isComparable(bytes) else {
            let input = option.map { "The file for \($0)" } ?? "The input"
            throw Failure(
                .failed, name: "noComparison", "\(input) contains no sign-in requests or values to compare.",
                nextStep: "Use two recordings (HAR) or logs of a sign-in.")
        }
    }

    func compared(with other: EvidenceInput, by explainer: Explainer) throws(Failure) -> Comparison {
        do { return try explainer.compare(bytes, with: other.bytes) } catch {
            throw Failure(
                .failed, name: "noComparison", "The inputs have nothing in common that can be compared.",
                nextStep: "Use two recordings (HAR) or logs of a sign-in, or two configurations of one product.")
        }
    }

    private static func missing(_ file: String = "The file") -> Failure {
        Failure(.failed, name: "missing", "\(file) doesn't exist.", nextStep: "Check its name and folder.")
    }

    /// The text without quotes and the name of a header.
    var token: String { Explainer.stripped(String(decoding: bytes, as: UTF8.self)) }

    /// The bytes of the file that the text names; `nil` if it names no file.
    private static func file(_ operand: String) throws(Failure) -> [UInt8]? {
        let limit = Explainer.maximumFileSize
        // The folder or archive of a case stands for its evidence.
        if let names = try? PlainFile.names(in: operand).map(\.name), let evidence = CaseFiles.evidence(among: names) {
            return try file("\(operand)/\(evidence)")
        }
        guard !operand.contains(where: \.isNewline) else { return nil }
        let bytes: [UInt8]
        do { bytes = try PlainFile.read(operand, atMost: limit) } catch {
            // A code or an address names no file.
            guard !error.isMissing, error != .system(ENAMETOOLONG) else { return nil }
            throw Failure(
                .failed, name: error == .folder ? "folder" : "unreadable", "Can't read \(operand): \(error.reason).",
                nextStep: "Name another file.")
        }
        guard bytes.count <= limit else {
            throw Failure(
                .failed, name: "tooLarge", "\(operand) is larger than \(limit >> 20) MiB.",
                nextStep: "Record the sign-in alone, or keep only the hosts of the sign-in.")
        }
        return CaseFiles.evidence(in: bytes) ?? bytes
    }

    func failure(_ rejection: Explainer.Rejection) -> Failure {
        switch rejection {
        case .empty:
            Failure(
                .failed, name: "empty", "The input contains no text.",
                nextStep: "Record the sign-in or copy the error again.")
        case .cutOff:
            Failure(
                .failed, name: "cutOff", "The recording is cut off before its first request.",
                nextStep: "Export it again, and check the free disk space.")
        case .abandoned: Failure(.cancelled, name: "cancelled", "Cancelled.", nextStep: "")
        case .compressed:
            Failure(
                .failed, name: "compressed", "The file is compressed.", nextStep: "Unpack it, then explain its files.")
        case .unknown:
            text.map(Self.unknown)
                ?? Failure(
                    .failed, name: "unknown", "Not recognised: \(name).",
                    nextStep: "Use a recording (HAR), a log, a token, or a text with an error code or URL.")
        }
    }

    /// - Parameter text: the operand. Not repeated, because it can be a secret.
    private static func unknown(_ text: String) -> Failure {
        let near = text.count < 60 ? nearest(to: text, in: ErrorDictionary.bundled.names) : nil
        if let number = text.firstMatch(of: #/^-?[0-9]{1,9}$/#)?.output {
            let lookUp =
                number.hasPrefix("-") ? "Check the number." : "Look it up at https://login.microsoftonline.com/error."
            return Failure(
                .failed, name: "unknown", "Keyturn knows no error with the number \(number).",
                nextStep: ErrorDictionary.bundled.code(near: String(number)).map { "Did you mean \($0)?" } ?? lookUp)
        }
        if near == nil, text.namesFile { return missing() }
        return Failure(
            .failed, name: "unknown", "Not recognised as an error code, URL, token, recording or log.",
            nextStep: near.map { "Did you mean \($0)?" } ?? "Enter an error code, a URL, a whole token or a file.")
    }
}

extension String {
    /// Whether the text looks like the name of a file: a path, or a name with the extension of a log or recording.
    fileprivate var namesFile: Bool {
        let ending = lowercased().split(separator: ".").last.map(String.init) ?? ""
        return hasPrefix("/") || hasPrefix("./") || hasPrefix("../") || hasPrefix("~/")
            || contains(".") && ["har", "log", "txt", "json", "plist", "xml", "md", "zip", "gz"].contains(ending)
    }
}

extension Failure {
    static let noRequests = Failure(
        .failed, name: "noDiagram", "The input contains no sign-in requests.",
        nextStep: "Use a browser's recording (HAR), or a debug log of MSAL Python or the Azure CLI.")

    /// - Parameter file: the name of the recording, as the user gave it.
    init(_ rejection: RecordedSignIn.Rejection, of file: String) {
        let recordAll = "Record the sign-in in the browser from its first page, and export all requests (HAR)."
        let (name, reason, nextStep) =
            switch rejection {
            case .noSignIn: ("noSignIn", "\(file) has no request of a sign-in.", recordAll)
            case .cutOff:
                ("cutOff", "\(file) is cut off before the sign-in.", "Export it again, and check the free disk space.")
            case .noBeginning(let role):
                (
                    "noBeginning",
                    "\(file) has a \(role.name), but not the parameters of the request that starts the sign-in.",
                    recordAll
                )
            case .otherFlow(let word):
                (
                    "otherFlow", "\(file) has another flow than a user's sign-in with a code: \(word).",
                    "Use the recording of a sign-in in the browser or with a device code."
                )
            }
        self.init(.failed, name: name, reason, nextStep: nextStep)
    }
}
