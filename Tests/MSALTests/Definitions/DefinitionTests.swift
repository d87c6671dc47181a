import MSAL
import Testing

/// Raw values and constants that programs store, send and compare.
@Suite("MSAL's definitions") struct DefinitionTests {
    private static let cases: [(String, [Int], [Int])] = [
        ("MSALLogLevel", MSALLogLevel.allCases.map(\.rawValue), [0, 1, 2, 3, 4]),
        ("MSALLogMaskingLevel", MSALLogMaskingLevel.allCases.map(\.rawValue), [0, 1, 2]),
        ("MSALWebviewType", MSALWebviewType.allCases.map(\.rawValue), [0, 1, 2, 3]),
        ("MSALBrokeredAvailability", MSALBrokeredAvailability.allCases.map(\.rawValue), [0, 1]),
        ("MSALDeviceMode", MSALDeviceMode.allCases.map { Int($0.rawValue) }, [0, 1]),
        ("MSALPlatformSSOStatus", MSALPlatformSSOStatus.allCases.map { Int($0.rawValue) }, [0, 1, 2, 3]),
        ("MSALPreferredAuthMethod", MSALPreferredAuthMethod.allCases.map { Int($0.rawValue) }, [0, 1]),
        ("MSALXpcMode", MSALXpcMode.allCases.map { Int($0.rawValue) }, [0, 1, 2, 3]),
        ("MSALAudienceType", MSALAudienceType.allCases.map(\.rawValue), [0, 1, 2, 3]),
        ("MSALAzureCloudInstance", MSALAzureCloudInstance.allCases.map(\.rawValue), [0, 1, 2, 3, 4, 5, 6]),
        ("MSALClaimsRequestTarget", MSALClaimsRequestTarget.allCases.map { Int($0.rawValue) }, [0, 1]),
        ("MSALAuthScheme", MSALAuthScheme.allCases.map { Int($0.rawValue) }, [0, 1]),
        ("MSALHttpMethod", MSALHttpMethod.allCases.map { Int($0.rawValue) }, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ]

    @Test("Raw values equal those of MSAL for iOS and macOS", arguments: cases)
    func rawValues(name: String, found: [Int], expected: [Int]) {
        #expect(found == expected, "\(name)")
    }

    @Test("Aliases equal their case") func aliases() {
        #expect(MSALLogLevel.last == .verbose)
        #expect(MSALPromptType.default == .promptIfNecessary)
        #expect(MSALPromptType(rawValue: 4) == .promptIfNecessary)
    }

    @Test(
        "A prompt's name is its wire value",
        arguments: zip(
            MSALHttpMethod.allCases,
            ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]))
    func methodNames(method: MSALHttpMethod, name: String) {
        #expect(MSALParameterStringForHttpMethod(method) == name)
    }

    private static let namedForThemselves: [(String, String?)] = [
        ("MSALErrorDomain", MSALErrorDomain),
        ("MSALOAuthErrorKey", MSALOAuthErrorKey),
        ("MSALOAuthSubErrorKey", MSALOAuthSubErrorKey),
        ("MSALOAuthSubErrorDescriptionKey", MSALOAuthSubErrorDescriptionKey),
        ("MSALErrorDescriptionKey", MSALErrorDescriptionKey),
        ("MSALSTSErrorCodesKey", MSALSTSErrorCodesKey),
        ("MSALInternalErrorCodeKey", MSALInternalErrorCodeKey),
        ("MSALHTTPHeadersKey", MSALHTTPHeadersKey),
        ("MSALCorrelationIDKey", MSALCorrelationIDKey),
        ("MSALHTTPResponseCodeKey", MSALHTTPResponseCodeKey),
        ("MSALDeclinedScopesKey", MSALDeclinedScopesKey),
        ("MSALGrantedScopesKey", MSALGrantedScopesKey),
        ("MSALDisplayableUserIdKey", MSALDisplayableUserIdKey),
        ("MSALHomeAccountIdKey", MSALHomeAccountIdKey),
        ("MSALInvalidResultKey", MSALInvalidResultKey),
        ("MSALBrokerVersionKey", MSALBrokerVersionKey),
        ("MSALThrottlingCacheHitKey", MSALThrottlingCacheHitKey),
        ("MSALWebAuthDidStartLoadNotification", MSALWebAuthDidStartLoadNotification),
        ("MSALWebAuthDidFinishLoadNotification", MSALWebAuthDidFinishLoadNotification),
        ("MSALWebAuthDidFailNotification", MSALWebAuthDidFailNotification),
        ("MSALWebAuthDidCompleteNotification", MSALWebAuthDidCompleteNotification),
        ("MSALWebAuthWillSwitchToBrokerApp", MSALWebAuthWillSwitchToBrokerApp),
        ("MSALWebAuthDidReceiveResponseFromBroker", MSALWebAuthDidReceiveResponseFromBroker),
    ]

    @Test("A constant's value is its name", arguments: namedForThemselves)
    func constants(name: String, value: String?) {
        #expect(value == name)
    }

    @Test("Registration keys equal those of MSAL for iOS and macOS") func registrationKeys() {
        #expect(MSAL_PRIMARY_REGISTRATION_UPN == "primary_registration_metadata_upn")
        #expect(MSAL_PRIMARY_REGISTRATION_DEVICE_ID == "primary_registration_metadata_device_id")
        #expect(MSAL_PRIMARY_REGISTRATION_TENANT_ID == "primary_registration_metadata_tenant_id")
        #expect(MSAL_PRIMARY_REGISTRATION_CLOUD == "primary_registration_metadata_cloud_host")
        #expect(
            MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT
                == "primary_registration_metadata_certificate_thumbprint")
    }

    @Test("The version's number and text agree") func version() {
        #expect(MSALPublicClientApplication.sdkVersion == MSAL__Framework_VersionString)
        #expect(MSAL__Framework_VersionString.hasPrefix("\(MSAL__Framework_VersionNumber)"))
    }
}
