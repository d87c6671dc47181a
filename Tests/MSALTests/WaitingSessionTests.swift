import Foundation
import KeyturnSystem
import MSAL
import OAuthCore
import TestSupport
import Testing

/// A waiting sign-in takes only its own response, and only once.
@Suite(.oneSessionAtATime) struct WaitingSessionTests {
    private static let details = RunningSession(
        purpose: "sign-in", place: .browser, clientID: "client", host: "login.example", start: ManualTime.start,
        limit: nil)

    private func session(_ redirect: String = "http://localhost:5000", kind: RedirectURI.Kind = .loopback) throws
        -> WaitingSession
    {
        WaitingSession(
            Self.details, state: Secret("s3"),
            redirect: RedirectURI(url: try #require(URL(string: redirect)), kind: kind, isBrokerCapable: false))
    }

    @Test(arguments: [
        ("http://localhost:5000/?code=c&state=s3", true),
        ("http://LOCALHOST:5000/?state=s3&error=access_denied", true),
        ("http://localhost:5000/#code=c&state=s3", true),
        ("http://localhost:5000/?code=c", false),
        ("http://localhost:5000/?code=c&state=", false),
        ("http://localhost:5000/?code=c&state=S3", false),
        ("http://localhost:5000/?code=c&state=s3&state=s3", false),
        ("http://localhost:5001/?code=c&state=s3", false),
        ("http://localhost:5000/other?code=c&state=s3", false),
        ("http://127.0.0.1:5000/?code=c&state=s3", false),
        ("https://localhost:5000/?code=c&state=s3", false),
        ("msauth.org.keyturn.app://auth?code=c&state=s3", false),
    ])
    func onlyItsOwnResponseIsTaken(url: String, isTaken: Bool) throws {
        #expect(try session().deliver(#require(URL(string: url))) == isTaken)
    }

    @Test func aCustomSchemeResponseIsTaken() throws {
        let session = try session("msauth.org.keyturn.app://auth", kind: .customScheme)
        #expect(session.deliver(try #require(URL(string: "msauth.org.keyturn.app://auth?code=c&state=s3"))))
    }

    @Test(
        "Each kind of ignored response is reported once, and at most three are",
        arguments: [
            ("error=access_denied", "Ignored a response with the error access_denied: it has no state,"),
            ("error=access_denied&state=", "the error access_denied: it has no state,"),
            ("error=login%1B%5B2J&state=other", "the error unknown: its state is from another sign-in,"),
            ("code=c&state=other", "a code: its state is from another sign-in,"), ("x=y", nil),
        ])
    func ignored(query: String, told: String?) throws {
        let heard = Locked<[String]>([])
        let session = WaitingSession(
            Self.details, state: Secret("s3"),
            redirect: RedirectURI(
                url: try #require(URL(string: "http://localhost:5000")), kind: .loopback, isBrokerCapable: false)
        ) { response in heard.withLock { $0.append(response.explanation) } }
        let url = try #require(URL(string: "http://localhost:5000/?\(query)"))
        #expect(!session.deliver(url) && !session.deliver(url))
        #expect(heard.withLock { $0.count } == (told == nil ? 0 : 1))
        if let told { #expect(heard.withLock { $0[0].contains(told) }) }
        for number in ["a", "b", "c", "d", "e"] {
            _ = session.deliver(try #require(URL(string: "http://localhost:5000/?error=\(number)")))
        }
        #expect(heard.withLock { $0.count } == 3)
    }

    @Test func aSecondDeliveryIsRejected() async throws {
        let session = try session()
        let url = try #require(URL(string: "http://localhost:5000/?code=c&state=s3"))
        #expect(session.deliver(url))
        #expect(!session.deliver(url))
        #expect(try await session.response() == url)
    }

    @Test func cancellingEndsTheWaitOnce() async throws {
        let session = try session()
        #expect(session.cancel())
        #expect(!session.cancel())
        await #expect(throws: WaitingSession.Ending.canceled) { try await session.response() }
    }

    @Test func cancellingTheTaskEndsTheWait() async throws {
        let session = try session()
        let task = Task { try await session.response() }
        task.cancel()
        await #expect(throws: WaitingSession.Ending.canceled) { try await task.value }
    }

    @Test func aCancelledSessionDoesNotBlockTheNext() throws {
        let (first, second) = (try session(), try session())
        try InteractiveSessions.begin(first)
        let rejection = AuthenticationFailure.caller(.sessionAlreadyRunning(Self.details, now: ManualTime.start))
        #expect(throws: rejection) { try InteractiveSessions.begin(second) }
        #expect(throws: rejection) { try InteractiveSessions.requireNone(in: nil, at: ManualTime.start) }
        first.cancel()
        try InteractiveSessions.requireNone(in: nil, at: ManualTime.start)
        try InteractiveSessions.begin(second)
        // The first flow ends only now, and must not displace the second.
        InteractiveSessions.finish(first)
        #expect(InteractiveSessions.latest()?.cancel() == true)
        InteractiveSessions.finish(second)
    }

    @Test("A limit that a test forgets fails the wait with the reason, in real time")
    func forgotten() async throws {
        var details = Self.details
        details.limit = 900
        let session = WaitingSession(details, state: Secret("s3"), redirect: nil)
        let ending = await #expect(throws: WaitingSession.Ending.self) {
            try await session.limited(by: ManualTime(patience: .milliseconds(1))) { try await session.response() }
        }
        #expect("\(try #require(ending))".contains("waitForOpenPage()"))
        #expect(!session.isOverdue)
    }
}
