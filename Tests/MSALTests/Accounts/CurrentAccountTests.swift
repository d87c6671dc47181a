import DemoAuthority
import Dispatch
import Foundation
import Glibc
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The current and the previous account of a single-account application (docs/upstream-behaviour.md §4.8).
@Suite struct CurrentAccountTests {
    private let world: World
    private let application: MSALPublicClientApplication
    private let cache: TokenCache

    init() throws {
        world = try World()
        application = try world.application()
        cache = TokenCache(store: world.store, clientID: DemoAuthorityServer.clientID)
    }

    private func signIn(_ home: String) throws {
        var grant = TokenGrantTests.grant(home: home, client: DemoAuthorityServer.clientID)
        grant.profile.username = "\(home)@contoso.example"
        try cache.save(grant)
    }

    private func ask() async throws -> [String?] {
        let (current, previous) = try await application.currentAccount(with: nil)
        return [current?.identifier, previous?.identifier]
    }

    @Test func theCurrentAccountIsThePreviousOneNextTime() async throws {
        #expect(try await ask() == [nil, nil])
        try signIn("a.t")
        #expect(try await ask() == ["a.t", nil])
        #expect(try await ask() == ["a.t", "a.t"])
        try cache.remove(homeAccountID: "a.t")
        #expect(try await ask() == [nil, "a.t"])
        #expect(try await ask() == [nil, nil])
        try signIn("b.t")
        #expect(try await ask() == ["b.t", nil])
    }

    @Test func severalAccountsAreAnErrorAndChangeNothing() async throws {
        try signIn("a.t")
        _ = try await ask()
        try signIn("b.t")
        let error = await #expect(throws: MSALAuthenticationError.self) { _ = try await ask() }
        #expect(
            error?.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorAmbiguousAccount.rawValue)
        try cache.remove(homeAccountID: "a.t")
        #expect(try await ask() == ["b.t", "a.t"])
    }

    @Test func aRemovedAccountIsReportedAsPrevious() async throws {
        try signIn("a.t")
        _ = try await ask()
        try cache.wipe(homeAccountID: "a.t")
        let (current, previous) = try await application.currentAccount(with: nil)
        #expect(current == nil)
        #expect(previous?.identifier == "a.t")
        #expect(previous?.username == "a.t@contoso.example")
        #expect(previous?.environment == "login.windows.net")
    }

    @Test func anAccountThatSignedOutIsReportedWithItsProfile() async throws {
        try signIn("a.t")
        let current = try #require(try await application.currentAccount(with: nil).0)
        try cache.remove(homeAccountID: "a.t")
        let previous = try await application.currentAccount(with: nil).1
        #expect(previous?.tenantProfiles?.count == current.tenantProfiles?.count)
        #expect(current.tenantProfiles?.isEmpty == false)
    }

    @Test func anUnchangedAccountIsNotWritten() async throws {
        try signIn("a.t")
        _ = try await ask()
        let updates = world.store.updates
        _ = try await ask()
        #expect(world.store.updates == updates)
    }

    @Test func eachClientHasItsOwnCurrentAccount() async throws {
        try signIn("a.t")
        _ = try await ask()
        #expect(try TokenCache(store: world.store, clientID: "other").principal() == nil)
        #expect(try cache.principal()?.homeAccountID == "a.t")
    }

    @Test func completionBlockGetsTheSameResult() async throws {
        try signIn("a.t")
        let identifier = try await withCheckedThrowingContinuation { continuation in
            application.getCurrentAccount(with: nil) { current, previous, error in
                continuation.resume(
                    with: Result { try error.map { throw $0 } ?? (current?.identifier, previous) }
                        .map { "\($0.0 ?? "none"), \($0.1 == nil ? "none" : "one")" })
            }
        }
        #expect(identifier == "a.t, none")
    }

    /// MSAL for iOS and macOS reads the cache on the caller's thread, and programs use the block's results right after
    /// the call.
    @Test("Without a queue, the block runs on the caller's thread before the call returns, in 1,000 of 1,000 calls")
    func synchronousBlock() throws {
        try signIn("a.t")
        let devices = MSALAccountEnumerationParameters()
        let counted = Locked((current: 0, devices: 0))
        for call in 1...1000 {
            let thread = pthread_self()
            application.getCurrentAccount(with: MSALParameters()) { account, _, _ in
                guard account?.identifier == "a.t", pthread_equal(thread, pthread_self()) != 0 else { return }
                counted.withLock { $0.current += 1 }
            }
            application.accountsFromDevice(for: devices) { accounts, _ in
                guard accounts?.count == 1, pthread_equal(thread, pthread_self()) != 0 else { return }
                counted.withLock { $0.devices += 1 }
            }
            try #require(counted.withLock { $0 == (call, call) })
        }
    }

    @Test("With a queue, the block runs on that queue")
    func queue() async throws {
        try signIn("a.t")
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "blocks")
        queue.setSpecific(key: key, value: true)
        let parameters = MSALParameters()
        parameters.completionBlockQueue = queue
        let isThere = await withCheckedContinuation { continuation in
            application.getCurrentAccount(with: parameters) { _, _, _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }
        #expect(isThere)
    }
}
