import Foundation
import OAuthCore
import Testing

@testable import MSAL

/// What each masking level shows (docs/upstream-behaviour.md §12).
@Suite struct LogMessageTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var message: LogMessage
        /// Mask everything, names only, secrets only.
        var texts: [String]
        var isPersonal: [Bool]

        var testDescription: String { texts.joined(separator: " · ") }
    }

    private static let error = NSError(
        domain: "MSALErrorDomain", code: -50002,
        userInfo: [
            NSLocalizedDescriptionKey: "ann@contoso.example said no", MSALOAuthErrorKey as String: "eyJ.token",
            MSALSTSErrorCodesKey as String: [50076],
        ])

    @Test(arguments: [
        Row(message: "plain", texts: ["plain", "plain", "plain"], isPersonal: [false, false, false]),
        Row(message: "n \(3) \(true)", texts: ["n 3 yes", "n 3 yes", "n 3 yes"], isPersonal: [false, false, false]),
        Row(
            message: "\(MSALFlowEvent.Step.redeemCode)", texts: ["redeemCode", "redeemCode", "redeemCode"],
            isPersonal: [false, false, false]),
        Row(
            message: "\(name: "Ann Archer")", texts: ["Masked(not-null)", "Masked(not-null)", "Ann Archer"],
            isPersonal: [false, false, true]),
        Row(
            message: "\(name: nil)", texts: ["Masked(null)", "Masked(null)", "none"], isPersonal: [false, false, true]),
        Row(
            message: "\(name: "ann@contoso.example")",
            texts: [
                "auth.placeholder-d578f9ae__contoso.example", "auth.placeholder-d578f9ae__contoso.example",
                "ann@contoso.example",
            ], isPersonal: [false, false, true]),
        Row(
            message: "\(name: "say ann@contoso.example")",
            texts: ["Masked(not-null)", "Masked(not-null)", "say ann@contoso.example"],
            isPersonal: [false, false, true]),
        Row(message: "\(id: "abc")", texts: ["ba7816bf", "abc", "abc"], isPersonal: [false, true, true]),
        Row(message: "\(id: nil)", texts: ["Masked(null)", "none", "none"], isPersonal: [false, true, true]),
        Row(
            message: "\(list: ["a", "b"])", texts: ["MaskedArray(count=2)", "a b", "a b"],
            isPersonal: [false, true, true]),
        Row(
            message: "\(digest: Secret("abc"))", texts: ["ba7816bf", "ba7816bf", "ba7816bf"],
            isPersonal: [false, false, false]),
        Row(
            message: "\(error: error)",
            texts: [
                "MaskedError(MSALErrorDomain, -50002)", "Error(MSALErrorDomain, -50002, STS [50076])",
                "Error(MSALErrorDomain, -50002, STS [50076])",
            ], isPersonal: [false, false, false]),
        Row(
            message: "\(detail: "Finding https://id.example", naming: nil)",
            texts: Array(repeating: "Finding https://id.example", count: 3), isPersonal: [false, false, false]),
        Row(
            message: "\(detail: "Saved for Ann Archer.", naming: "Ann Archer")",
            texts: ["Saved for Masked(not-null).", "Saved for Masked(not-null).", "Saved for Ann Archer."],
            isPersonal: [false, false, true]),
        Row(
            message: "\(detail: "/home/ann/bin/a could not be started", naming: nil)",
            texts: [
                "/home/\u{2026}/bin/a could not be started", "/home/\u{2026}/bin/a could not be started",
                "/home/ann/bin/a could not be started",
            ], isPersonal: [false, false, true]),
        Row(
            message: "\(name: "a\u{1B}[2J\n\u{202E}b\u{2028}")",
            texts: ["Masked(not-null)", "Masked(not-null)", "a[2Jb"],
            isPersonal: [false, false, true]),
    ])
    func eachLevelMasksItsPart(_ row: Row) {
        let levels: [MSALLogMaskingLevel] = [.settingsMaskAllPII, .settingsMaskEUIIOnly, .settingsMaskSecretsOnly]
        #expect(levels.map { row.message.text($0) } == row.texts)
        #expect(levels.map { row.message.showsPersonalData($0) } == row.isPersonal)
    }
}
