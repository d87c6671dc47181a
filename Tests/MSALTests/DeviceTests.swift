import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

/// Without a broker or a registered device, these calls behave as in MSAL for iOS and macOS (docs/upstream-behaviour.md
/// §11).
@Suite("Devices and brokers") struct DeviceTests {
    private func brokerCapable() throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        let registration = AppRegistration(
            bundleIdentifier: "org.example", urlSchemes: ["msauth.org.example"],
            querySchemes: ["msauthv2", "msauthv3"])
        return try MSALPublicClientApplication(
            configuration: configuration, registration: registration, dependencies: World().dependencies)
    }

    private func codes(_ work: () async throws -> Void) async throws -> [Int?] {
        let error = await #expect(throws: MSALAuthenticationError.self) { try await work() }
        let failure = try #require(error)
        return [failure.code, failure.userInfo[MSALInternalErrorCodeKey] as? Int]
    }

    @Test("No broker is available") func available() throws {
        #expect(try !brokerCapable().isCompatibleAADBrokerAvailable)
    }

    @Test("Without a broker the device is not shared") func personal() async throws {
        let application = try brokerCapable()
        let information = try await application.deviceInformation(with: nil)
        #expect(information.deviceMode == .default)
        #expect(information.configuredPreferredAuthMethod == .none)
        #expect(!information.hasAADSSOExtension)
        #expect(information.platformSSOStatus == .notEnabled)
        #expect(information.extraDeviceInformation.isEmpty)
        #expect(try await application.wpjMetaDataDevice(with: nil, forTenantId: nil).extraDeviceInformation.isEmpty)
    }

    @Test("The same holds for an application without a broker") func notCapable() async throws {
        let application = try World().application()
        #expect(try await application.deviceInformation(with: nil).deviceMode == .default)
        #expect(try await application.wpjMetaDataDevice(with: nil, forTenantId: "t").extraDeviceInformation.isEmpty)
    }

    @Test(
        "A device token needs a registered device",
        arguments: [("r", "t", -50001), ("", "t", -50000), (" \n", "t", -50000), ("r", " ", -50000)])
    func deviceToken(resource: String, tenant: String, code: Int) async throws {
        let application = try brokerCapable()
        let parameters = MSALDeviceTokenParameters(resource: resource, scopes: nil, forTenantId: tenant)
        #expect(try await codes { _ = try await application.deviceToken(with: parameters) }.first == code)
    }

    @Test("A shared device needs a broker") func sharedDevice() async throws {
        let application = try brokerCapable()
        #expect(
            try await codes { _ = try await application.deviceTokenForSharedDevice(withResource: "r", scopes: nil) }
                == [-50000, -42714])
    }

    @Test("The completion-block forms get the same results") func blocks() async throws {
        let application = try brokerCapable()
        let mode = await withCheckedContinuation { continuation in
            application.getDeviceInformation(with: nil) { information, _ in
                continuation.resume(returning: information?.deviceMode)
            }
        }
        #expect(mode == .default)
        let isEmpty = await withCheckedContinuation { continuation in
            application.getWPJMetaDataDevice(with: nil, forTenantId: nil) { data, _ in
                continuation.resume(returning: data?.extraDeviceInformation.isEmpty)
            }
        }
        #expect(isEmpty == true)
        let parameters = MSALDeviceTokenParameters(resource: "r", scopes: nil, forTenantId: "t")
        let code = await withCheckedContinuation { continuation in
            application.getDeviceToken(with: parameters) { _, error in
                continuation.resume(returning: (error as NSError?)?.code)
            }
        }
        #expect(code == MSALError.workplaceJoinRequired.rawValue)
        let shared = await withCheckedContinuation { continuation in
            application.getDeviceTokenForSharedDevice(withResource: "r", scopes: nil) { _, error in
                continuation.resume(returning: (error as NSError?)?.code)
            }
        }
        #expect(shared == MSALError.internal.rawValue)
    }
}
