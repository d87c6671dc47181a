import Dispatch
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A host program with one thread for its tasks, while another process holds the token store's lock.
@Suite("A blocked token store", .oneSessionAtATime) struct BlockedStoreTests {
    struct Call: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable (MSALPublicClientApplication, MSALAccount) async throws -> Void
    }

    static let calls = [
        Call(testDescription: "acquireTokenSilent") { application, account in
            _ = try await application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account))
        },
        Call(testDescription: "accountsFromDevice") { application, _ in
            _ = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        },
        Call(testDescription: "currentAccount") { application, _ in
            _ = try await application.currentAccount(with: nil)
        },
        Call(testDescription: "signout") { application, account in
            _ = try await application.signout(
                with: account,
                signoutParameters: MSALSignoutParameters(webviewParameters: MSALWebviewParameters()))
        },
    ]

    @Test("Blocks no task of the host program", arguments: calls)
    func hostGoesOn(call: Call) async throws {
        let world = try await SignedInWorld()
        let host = HostThread()
        let store = BlockedStore(world.world.store, host: host)
        let application = try world.application(store)
        let account = world.account
        let running = Task(executorPreference: host) { try await call.make(application, account) }
        await store.isEntered()
        await Task(executorPreference: host) {}.value
        store.release()
        try await running.value
        #expect(!store.wasUsedByHost)
    }

    @Test("Blocks no actor of the host program", arguments: calls)
    func mainActorGoesOn(call: Call) async throws {
        let world = try await SignedInWorld()
        let store = BlockedStore(world.world.store, host: nil)
        let application = try world.application(store)
        let account = world.account
        let running = Task { @MainActor in try await call.make(application, account) }
        await store.isEntered()
        await MainActor.run {}
        store.release()
        try await running.value
        #expect(!store.wasUsedByHost)
    }
}

extension SignedInWorld {
    fileprivate func application(_ store: BlockedStore) throws -> MSALPublicClientApplication {
        var others = world.dependencies
        others.credentials = store
        return try world.application(with: others)
    }
}

/// Runs tasks one after the other.
private final class HostThread: TaskExecutor {
    private let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "host")

    init() { queue.setSpecific(key: key, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Blocks every thread that uses it, except the host program's thread: that use is only recorded, because the test
/// would never end.
private final class BlockedStore: CredentialStore {
    private let store: MemoryCredentialStore
    private let host: HostThread?
    private let isBlocked = DispatchSemaphore(value: 0)
    private let usesByHost = Locked(0)
    private let (entries, entry) = AsyncStream.makeStream(of: Void.self)

    init(_ store: MemoryCredentialStore, host: HostThread?) {
        self.store = store
        self.host = host
    }

    var wasUsedByHost: Bool { usesByHost.withLock { $0 > 0 } }

    func isEntered() async { _ = await entries.first { _ in true } }

    func release() { isBlocked.signal() }

    private func wait() {
        let isHost = host?.isCurrent ?? Thread.isMainThread
        if isHost { usesByHost.withLock { $0 += 1 } }
        entry.yield()
        guard !isHost else { return }
        isBlocked.wait()
        isBlocked.signal()
    }

    func records(matching query: CredentialQuery) throws(CredentialStoreFailure) -> [CredentialRecord] {
        wait()
        return try store.records(matching: query)
    }

    func digests<Digest>(
        in form: DigestForm<Digest>
    ) throws(CredentialStoreFailure) -> CredentialDigests<Digest> {
        wait()
        return try store.digests(in: form)
    }

    func update(
        matching query: CredentialQuery, _ decide: ([CredentialRecord]) -> [CredentialChange]
    ) throws(CredentialStoreFailure) {
        wait()
        try store.update(matching: query, decide)
    }

    func lease(_ key: CredentialKey) throws(CredentialStoreFailure) -> (any CredentialLease)? {
        try store.lease(key)
    }

    /// Never waits.
    func stamp() -> CredentialStamp? { nil }

    func protection() throws(CredentialStoreFailure) -> MSALCacheProtection { try store.protection() }
}
