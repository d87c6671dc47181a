import Diagnosis
import Foundation

extension FuzzTarget {
    /// A recording, log or error. The explanation contains no value that isn't known to be harmless, and doesn't depend on
    /// the encoding.
    static let evidence = FuzzTarget("evidence") { bytes in
        let explainer = try Explainer(
            clientID: "client",
            infoPlist: Array("<plist><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>".utf8),
            now: Date(timeIntervalSince1970: 1_700_000_000))
        let explanation: Explanation
        do throws(Explainer.Rejection) {
            explanation = try explainer.explain(file: bytes)
        } catch {
            return .rejected
        }
        for finding in explanation.findings where [.failed, .warning].contains(finding.verdict) {
            try require(finding.fix?.isEmpty == false, "the next step of \(finding.subject)")
        }
        try requirePlanted(in: bytes, explainer)
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix("\u{FEFF}") {
            let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            try requireEqual(try? explainer.explain(file: [0xFF, 0xFE] + units), explanation, "the same in UTF-16")
        }
        return .accepted
    }

    /// Puts a secret into every URL and list of parameters, and requires that it is neither printed nor in a redacted copy.
    private static func requirePlanted(in bytes: [UInt8], _ explainer: Explainer) throws {
        let secret = "planted-s3cret-in-9-places"
        let text = String(decoding: bytes, as: UTF8.self)
        let planted = text.replacing("state=", with: "token=\(secret)&state=")
            .replacing("://", with: "://user:\(secret)@")
        guard let explanation = try? explainer.explain(file: Array(planted.utf8)) else { return }
        try requireHidden(
            [secret], in: try explainer.examine(file: Array(planted.utf8), copies: true).copy?.text ?? "",
            "a redacted copy")
        if explanation.kind == .token { return }
        try requireHidden([secret], in: "\(explanation)", "an explanation")
    }
}
