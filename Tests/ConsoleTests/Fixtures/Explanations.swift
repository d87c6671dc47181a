import Console
import Foundation
import MSAL

@testable import Diagnosis

/// A recording with two causes.
let explained: Explained = {
    var explained = explainedWithoutDiagram
    explained.explanation.diagram = SequenceDiagram(
        title: "Requests of a sign-in",
        arrows: [
            .init(
                .browser, .authority, "authorize", text: "Authorization request (entry 12): GET login.example",
                exchange: 12),
            .init(
                .authority, .browser, "200", text: "HTTP 200", outcome: .responded, exchange: 12, message: .response),
            .init(
                .browser, .authority, "sign-in page", text: "Sign-in page (entry 31): POST login.example", exchange: 31),
            .init(
                .authority, .browser, "200 AADSTS50011", text: "HTTP 200, AADSTS50011", outcome: .rejected,
                exchange: 31, message: .response),
        ])
    explained.explanation.messages = [recorded(12, 200, #"{"error":"x"}"#), recorded(31, 200, nil)].compactMap(\.self)
    explained.explanation.failingArrow = 3
    explained.explanation.sections.insert(contentsOf: [ruledOut], at: 1)
    return explained
}()

private let ruledOut = folded(
    "Ruled out", .init("Clock", "It's within 1 s of the servers'."), .init("Encryption", "Every request used https."))

private func folded(_ title: String, _ rows: Explanation.Row...) -> Explanation.Section {
    var section = Explanation.Section(title: title, rows: rows)
    section.isFolded = true
    return section
}

private let explainedWithoutDiagram = Explained(
    name: "customer.har",
    explanation: Explanation(
        .har, "A WebInspector recording: 214 requests, 9 to sign-in endpoints.",
        sections: [
            .init(
                title: "Evidence: Redirect URI",
                rows: [
                    .init("Sent", "msauth.com.contoso.Mail://auth"),
                    .init("Accepted", "msauth.com.contoso.mail://auth"),
                    .init("Difference", "Only upper and lower case differ."), .init("Entry", "12, 31"),
                ]),
            .init(
                title: "Timeline",
                rows: [
                    .init("12", "authorization request  login.microsoftonline.com  HTTP 200"),
                    .init("31", "sign-in page  login.microsoftonline.com  HTTP 200 AADSTS50011"),
                ]),
        ],
        findings: [
            CheckFinding(
                "Redirect URI", .failed, "The redirect URI isn't registered for this application (AADSTS50011).",
                fix: "Register exactly the URI that was sent (RFC 6749 §3.1.2)."),
            CheckFinding("Clock", .warning, "This device's clock is 8 min behind.", fix: "Set the clock."),
        ]))

let missingFileReport = Failure(
    headline: "The operation failed.", reason: "The file doesn't exist.", advice: "Check its name and folder.")

/// The names in a folder.
let folderEntries = [
    FolderEntry("Customer logs", isFolder: true), FolderEntry("case 02.har"), FolderEntry("case 01.har"),
    FolderEntry("customer.har"), FolderEntry(".hidden"),
]

/// An error code.
let explainedCode = Explained(
    name: nil,
    explanation: Explanation(
        .errorCode, "The code is used.",
        sections: [
            .init(
                title: "invalid_grant",
                rows: [.init("Meaning", "The code is used."), .init("Defined by", "RFC 6749 §5.2")])
        ]))

let wideExplained = Explained(
    name: "\(wideText).har",
    explanation: Explanation(
        .log, "A log of \(wideText).",
        sections: [
            .init(
                title: "Section \(wideText)",
                rows: [.init("Row \(wideText)", longText, meaning: "Meaning \(wideText)"), .init("empty", "")])
        ],
        findings: [
            CheckFinding("Cause \(wideText)", .failed, "It is \(wideText).", fix: "Do \(wideText).")
        ]))

func copied(_ text: String) -> ReviewedCopy {
    let bytes = Array(text.utf8)
    return ReviewedCopy(name: "customer.log", copy: Redaction(lines: bytes), CopyReview(of: bytes))
}

/// A copy of a log.
let reviewedCopy = copied(
    """
    DEBUG:msal.telemetry: correlation_id: 6f1c2b7e-0000-4000-8000-0000000000a1
    DEBUG:urllib3.connectionpool:https://vpn.contoso.example:443 "POST /contoso/oauth2/v2.0/token HTTP/1.1" 400 485
    Failed for alice@contoso.example: AADSTS50011
    AADSTS50011
    """)

/// What the arrows of an exchange carry.
private func recorded(_ number: Int, _ status: Int, _ body: String?) -> Explanation.Message? {
    var exchange = Exchange(number: number, method: "GET", url: "https://login.example/authorize", status: status)
    exchange.parameters.append("client_id", "11111111-2222-3333-4444-555555555555")
    exchange.parameters.append("response_type", "code")
    exchange.parameters.append("redirect_uri", "msauth.com.contoso.Mail://auth")
    exchange.body = body
    return Evidence([exchange]).steps.first.map(Explanation.Message.init)
}

/// Two recordings that differ, and two that don't.
let differing = compared("http://localhost:53682/App1", 400)
let alike = compared("http://localhost:53682/app1", 302)

private func compared(_ redirectURI: String, _ status: Int) -> Comparison {
    func evidence(_ redirectURI: String, _ status: Int) -> Evidence {
        var request = Exchange(number: 3, method: "GET", url: "https://login.example/authorize", status: status)
        request.parameters.append("client_id", "11111111-2222-3333-4444-555555555555")
        request.parameters.append("response_type", "code")
        request.parameters.append("redirect_uri", redirectURI)
        return Evidence([request])
    }
    guard
        let comparison = Comparison(
            evidence(redirectURI, status), evidence("http://localhost:53682/app1", 302))
    else { fatalError("Both have a sign-in.") }
    return comparison
}
