import Foundation
import Testing

@testable import Diagnosis

@Suite("The answer")
struct TicketTests {
    private static func explain(_ text: String) throws -> Explanation {
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        return try Explainer(
            clientID: "", infoPlist: Array(plist.utf8), now: Date(timeIntervalSince1970: 1_800_000_000)
        ).explain(file: Array(text.utf8))
    }

    private static func check(_ ticket: Ticket, _ name: String) {
        for reader in Ticket.Reader.allCases {
            let lines = ticket.text(for: reader).split(separator: "\n")
            #expect(lines.count >= 3 && lines.count <= Ticket.mostLines, "\(name)")
            #expect(lines.allSatisfy { $0.count <= Ticket.width }, "\(name): \(lines)")
            #expect(lines.contains { $0.hasPrefix("Who must do it: ") }, "\(name)")
        }
    }

    @Test("Each cause of the file has an answer, on each platform")
    func rows() {
        for known in KnownCause.bundled {
            for fix in known.fix.texts {
                let cause = Cause(
                    strength: known.strength, subject: known.subject, headline: known.headline, fix: fix,
                    who: known.who, positions: [1])
                Self.check(Ticket(cause, in: Evidence([])), known.id)
            }
        }
    }

    @Test("Each error has an answer", arguments: ErrorDictionary.Kind.allCases)
    func errors(kind: ErrorDictionary.Kind) {
        for entry in ErrorDictionary.bundled.entries(of: kind) { Self.check(Ticket(entry, in: nil), entry.code) }
    }

    @Test("Each case from a public thread with a cause has one")
    func cases() throws {
        for given in Case.all {
            let explanation = try Self.explain(String(decoding: given.evidence, as: UTF8.self))
            #expect(explanation.cause == nil || explanation.ticket != nil, "\(given.name)")
            if let ticket = explanation.ticket { Self.check(ticket, given.name) }
        }
    }

    @Test(
        "Who must act follows from the next step, or from the row",
        arguments: [
            ("AADSTS50011", ErrorDictionary.Actor.developer), ("AADSTS90094", .administrator),
            ("AADSTS50126", .user), ("AADSTS65001", .user), ("invalid_client", .developer),
            ("curl: (56) CONNECT tunnel failed, response 407", .operator),
        ])
    func actors(text: String, who: ErrorDictionary.Actor) throws {
        #expect(try Self.explain(text).ticket?.who == who)
    }

    @Test("A user passes on what others must do, with the identifiers and without the values")
    func readers() throws {
        let text = """
            AADSTS50011: The redirect URI 'http://localhost:1/cb' specified in the request does not match.
            Trace ID: 11111111-2222-3333-4444-555555555555
            Correlation ID: 99999999-2222-3333-4444-555555555555
            Timestamp: 2026-11-23 02:23:51Z
            """
        let ticket = try #require(try Self.explain(text).ticket)
        let user = ticket.text(for: .user)
        #expect(user.contains("Who must do it: the developer of the application. Please pass this text on"))
        #expect(
            user.contains("Correlation ID: 99999999-2222-3333-4444-555555555555") && user.contains("Request ID: 1111"))
        #expect(ticket.text(for: .developer).contains("Who must do it: you."))
    }

    @Test("A word that begins with the user isn't the user")
    func username() throws {
        let ticket = try #require(try Self.explain("oauth: error: incorrect username or password").ticket)
        #expect(ticket.text(for: .user).contains("The username or password is wrong"))
    }

    @Test("A guess says so, and asks for what is missing")
    func guess() {
        let cause = Cause(
            strength: .guessed, subject: "State", headline: "The tab was closed.", fix: "Sign in again.", positions: [1]
        )
        let ticket = Ticket(cause, in: Evidence([]), missing: [.init("Token request", "Ask for the log.")])
        let text = ticket.text(for: .user)
        #expect(text.hasPrefix("What happened: Not certain. Perhaps: The tab was closed.\n"))
        #expect(text.contains("Please send: Token request. Ask for the log.\n"))
    }
}
