import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Defaults of configuration and parameters, copies, and the rules for redirect URIs.
@Suite("Configuration and parameters") struct ConfigurationTests {
    @Test("An application's configuration has the defaults of MSAL for iOS and macOS") func configuration() {
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        #expect(configuration.authority.url.absoluteString == "https://login.microsoftonline.com/common")
        #expect(configuration.redirectUri == nil)
        #expect(configuration.nestedAuthBrokerClientId.isEmpty)
        #expect(configuration.nestedAuthBrokerRedirectUri == nil)
        #expect(configuration.knownAuthorities.isEmpty)
        #expect(!configuration.extendedLifetimeEnabled)
        #expect(configuration.clientApplicationCapabilities == nil)
        #expect(configuration.tokenExpirationBuffer == 300)
        #expect(configuration.sliceConfig == nil)
        #expect(!configuration.multipleCloudsSupported)
        #expect(!configuration.bypassRedirectURIValidation)
        #expect(configuration.cacheConfig.keychainSharingGroup == MSALCacheConfig.defaultKeychainSharingGroup())
    }

    @Test("A copy has the same values and is a separate object") func copies() throws {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "client", redirectUri: "a://b", authority: nil, nestedAuthBrokerClientId: "broker",
            nestedAuthBrokerRedirectUri: "c://d")
        configuration.knownAuthorities = [configuration.authority]
        configuration.extendedLifetimeEnabled = true
        configuration.clientApplicationCapabilities = ["CP1"]
        configuration.tokenExpirationBuffer = 1
        configuration.sliceConfig = MSALSliceConfig(slice: "one", dc: nil)
        configuration.multipleCloudsSupported = true
        configuration.bypassRedirectURIValidation = true
        let copy = try #require(configuration.copy() as? MSALPublicClientApplicationConfig)
        configuration.sliceConfig?.slice = "two"
        configuration.nestedAuthBrokerClientId = ""

        #expect(copy.redirectUri == "a://b")
        #expect(copy.nestedAuthBrokerClientId == "broker")
        #expect(copy.nestedAuthBrokerRedirectUri == "c://d")
        #expect(copy.knownAuthorities == [copy.authority])
        #expect(copy.extendedLifetimeEnabled && copy.multipleCloudsSupported && copy.bypassRedirectURIValidation)
        #expect(copy.clientApplicationCapabilities == ["CP1"])
        #expect(copy.tokenExpirationBuffer == 1)
        #expect(copy.sliceConfig?.sliceDictionary as? [String: String] == ["slice": "one"])
    }

    @Test("The global settings have the defaults of MSAL for iOS and macOS") func globals() {
        let http = MSALHTTPConfig()
        #expect(http.retryCount == 1)
        #expect(http.retryInterval == 0.5)
        #expect(http.timeoutIntervalForRequest == 300)
        let telemetry = MSALTelemetryConfig()
        #expect(!telemetry.piiEnabled && !telemetry.notifyOnFailureOnly)
        #expect(telemetry.telemetryCallback == nil)
        let logger = MSALLoggerConfig()
        #expect(logger.logLevel == .info)
        #expect(logger.logMaskingLevel == .settingsMaskAllPII)
        #expect(MSALGlobalConfig.brokerAvailability == .auto)
        #expect(!MSALGlobalConfig.shouldRequestBoundAppRefreshTokens)
        #expect(MSALWipeCacheForAllAccountsConfig.additionalPartnerLocations().isEmpty)
    }

    @Test("Request parameters have the defaults of MSAL for iOS and macOS") func parameters() throws {
        let webview = MSALWebviewParameters()
        #expect(webview.webviewType == .default)
        #expect(!webview.prefersEphemeralWebBrowserSession)
        #expect(webview.parentViewController is MSALTerminal)

        let interactive = MSALInteractiveTokenParameters(scopes: ["a"], webviewParameters: webview)
        #expect(interactive.promptType == .promptIfNecessary)
        #expect(interactive.preferredAuthMethod == .none)
        #expect(interactive.claimsRequest == nil)
        #expect(interactive.authenticationScheme?.scheme == .bearer)
        #expect(interactive.authenticationScheme?.authenticationScheme == "Bearer")
        #expect(interactive.msalXpcMode == .disabled)

        let account = MSALAccount(
            username: "u", homeAccountId: nil, environment: "e", tenantProfiles: nil, claims: nil)
        let silent = MSALSilentTokenParameters(scopes: ["a"], account: account)
        #expect(!silent.forceRefresh && silent.allowUsingLocalCachedRtWhenSsoExtFailed)

        let signout = MSALSignoutParameters(webviewParameters: webview)
        #expect(!signout.signoutFromBrowser && !signout.wipeAccount && !signout.wipeCacheForAllAccounts)
        #expect(signout.extraQueryParameters == nil)

        let device = MSALDeviceTokenParameters(resource: "r", scopes: nil, forTenantId: "t")
        #expect(device.resource == "r" && device.tenantId == "t" && device.scopes.isEmpty)
    }

    @Test("Parameters keep the web view parameters") func webviewCopy() {
        let webview = MSALWebviewParameters(authPresentationViewController: Presenter())
        webview.prefersEphemeralWebBrowserSession = true
        let request = MSALInteractiveTokenParameters(scopes: [], webviewParameters: webview)
        webview.webviewType = .wkWebView
        #expect(request.webviewParameters.webviewType == .default)
        #expect(request.webviewParameters.prefersEphemeralWebBrowserSession)
        #expect(request.webviewParameters.parentViewController is Presenter)
    }

    private final class Presenter: MSALPresenter {}

    @Test(
        "A slice needs at least one of its two members",
        arguments: [
            (nil, nil, nil), ("", "", nil), ("s", nil, ["slice": "s"]), (nil, "d", ["dc": "d"]),
            ("s", "d", ["slice": "s", "dc": "d"]),
        ] as [(String?, String?, [String: String]?)])
    func slices(slice: String?, dc: String?, expected: [String: String]?) {
        #expect(MSALSliceConfig(slice: slice, dc: dc)?.sliceDictionary as? [String: String] == expected)
    }

    @Test("The first log callback stays") func logCallback() async {
        let logger = MSALLoggerConfig()
        logger.callback()(.info, "no listener yet", false)
        let lines = AsyncStream<String>.makeStream()
        logger.setLogCallback { _, line, _ in lines.continuation.yield("first: \(line ?? "")") }
        logger.setLogCallback { _, line, _ in lines.continuation.yield("second: \(line ?? "")") }
        logger.callback()(.info, "line", false)
        var iterator = lines.stream.makeAsyncIterator()
        #expect(await iterator.next() == "first: line")
    }

    private func internalCode(_ redirectURI: String?, bypass: Bool, queries: [String]) throws -> Int? {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "client", redirectUri: redirectURI, authority: nil)
        configuration.bypassRedirectURIValidation = bypass
        let registration = AppRegistration(
            bundleIdentifier: "org.example", urlSchemes: ["msauth.org.example"], querySchemes: queries)
        do {
            let world = try World()
            _ = try MSALPublicClientApplication(
                configuration: configuration, registration: registration, dependencies: world.dependencies)
            return nil
        } catch let error as NSError {
            return error.userInfo[MSALInternalErrorCodeKey] as? Int
        }
    }

    @Test(
        "The redirect URI, its bypass and the broker schemes",
        arguments: [
            (nil, false, ["msauthv2", "msauthv3"], nil),
            (nil, false, ["msauthv2"], -42001),
            (nil, false, [], nil),
            (nil, true, [], nil),
            ("http://localhost", false, [], nil),
            ("other://here", false, [], -42001),
            ("other://here", true, [], nil),
            ("https://example.com/done", false, [], -42011),
            ("https://example.com/done", true, [], nil),
            ("msauth.org.example://auth#", true, [], -42008),
        ] as [(String?, Bool, [String], Int?)])
    func redirects(redirectURI: String?, bypass: Bool, queries: [String], expected: Int?) throws {
        #expect(try internalCode(redirectURI, bypass: bypass, queries: queries) == expected)
    }

    @Test("The redirect URI in use can be read") func redirectInUse() throws {
        let redirect = try World().application().redirectUri
        #expect(redirect.url.absoluteString == "http://localhost")
        #expect(!redirect.brokerCapable)
    }
}
