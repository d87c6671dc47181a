// Every public member in docs/api-coverage.md, used once with its type written out, as in a program that states its
// types. Every new member needs a line: `MemberTests` compares the file with the document.

import MSAL

// Foundation, Dispatch and URL come with MSAL, as they do on Apple's systems.

enum UsesMSALPublicClientApplication {
    static func member1(_ configuration: MSALPublicClientApplicationConfig) throws {
        let value: MSALPublicClientApplication = try MSALPublicClientApplication(configuration: configuration);
        _ = value
    }
    static func member2(_ clientId: String) throws {
        let value: MSALPublicClientApplication = try MSALPublicClientApplication(clientId: clientId); _ = value
    }
    static func member3(_ given: MSALPublicClientApplication) {
        let value: MSALPublicClientApplicationConfig = given.configuration; _ = value
    }
    static func member4(_ given: MSALPublicClientApplication) throws {
        let value: [MSALAccount] = try given.allAccounts(); _ = value
    }
    static func member5(_ given: MSALPublicClientApplication, _ identifier: String) throws {
        let value: MSALAccount = try given.account(forIdentifier: identifier); _ = value
    }
    static func member6(_ given: MSALPublicClientApplication, _ parameters: MSALAccountEnumerationParameters) throws {
        let value: [MSALAccount] = try given.accounts(for: parameters); _ = value
    }
    static func member7(_ given: MSALPublicClientApplication, _ username: String) throws {
        let value: MSALAccount = try given.account(forUsername: username); _ = value
    }
    static func member8(
        _ given: MSALPublicClientApplication, _ parameters: MSALAccountEnumerationParameters,
        _ completionBlock: @escaping ([MSALAccount]?, (any Error)?) -> Void
    ) { given.accountsFromDevice(for: parameters, completionBlock: completionBlock) }
    static func member9(_ given: MSALPublicClientApplication, _ parameters: MSALAccountEnumerationParameters)
        async throws
    { let value: [MSALAccount] = try await given.accountsFromDevice(for: parameters); _ = value }
    static func member10(_ url: URL, _ sourceApplication: String?) {
        let value: Bool = MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: sourceApplication);
        _ = value
    }
    static func member11() { let value: Bool = MSALPublicClientApplication.cancelCurrentWebAuthSession(); _ = value }
    static func member12(
        _ given: MSALPublicClientApplication, _ parameters: MSALDeviceCodeParameters,
        _ completionBlock: @escaping (MSALResult?, (any Error)?) -> Void
    ) { given.acquireToken(with: parameters, completionBlock: completionBlock) }
    static func member13(
        _ given: MSALPublicClientApplication, _ parameters: MSALInteractiveTokenParameters,
        _ completionBlock: @escaping (MSALResult?, (any Error)?) -> Void
    ) { given.acquireToken(with: parameters, completionBlock: completionBlock) }
    static func member14(_ given: MSALPublicClientApplication, _ parameters: MSALDeviceCodeParameters) async throws {
        let value: MSALResult = try await given.acquireToken(with: parameters); _ = value
    }
    static func member15(_ given: MSALPublicClientApplication, _ parameters: MSALInteractiveTokenParameters)
        async throws
    { let value: MSALResult = try await given.acquireToken(with: parameters); _ = value }
    static func member16(
        _ given: MSALPublicClientApplication, _ parameters: MSALSilentTokenParameters,
        _ completionBlock: @escaping (MSALResult?, (any Error)?) -> Void
    ) { given.acquireTokenSilent(with: parameters, completionBlock: completionBlock) }
    static func member17(_ given: MSALPublicClientApplication, _ parameters: MSALSilentTokenParameters) async throws {
        let value: MSALResult = try await given.acquireTokenSilent(with: parameters); _ = value
    }
    static func member18(_ given: MSALPublicClientApplication, _ account: MSALAccount) throws {
        try given.remove(account)
    }
    static func member19(
        _ given: MSALPublicClientApplication, _ account: MSALAccount, _ signoutParameters: MSALSignoutParameters,
        _ completionBlock: @escaping (Bool, (any Error)?) -> Void
    ) { given.signout(with: account, signoutParameters: signoutParameters, completionBlock: completionBlock) }
    static func member20(
        _ given: MSALPublicClientApplication, _ account: MSALAccount, _ signoutParameters: MSALSignoutParameters
    ) async throws {
        let value: Bool = try await given.signout(with: account, signoutParameters: signoutParameters); _ = value
    }
    static func member21(
        _ given: MSALPublicClientApplication, _ parameters: MSALParameters?,
        _ completionBlock: @escaping (MSALDeviceInformation?, (any Error)?) -> Void
    ) { given.getDeviceInformation(with: parameters, completionBlock: completionBlock) }
    static func member22(_ given: MSALPublicClientApplication, _ parameters: MSALParameters?) async throws {
        let value: MSALDeviceInformation = try await given.deviceInformation(with: parameters); _ = value
    }
    static func member23(
        _ given: MSALPublicClientApplication, _ parameters: MSALParameters?, _ tenantId: String?,
        _ completionBlock: @escaping (MSALWPJMetaData?, (any Error)?) -> Void
    ) { given.getWPJMetaDataDevice(with: parameters, forTenantId: tenantId, completionBlock: completionBlock) }
    static func member24(_ given: MSALPublicClientApplication, _ parameters: MSALParameters?, _ tenantId: String?)
        async throws
    {
        let value: MSALWPJMetaData = try await given.wpjMetaDataDevice(with: parameters, forTenantId: tenantId);
        _ = value
    }
    static func member25(
        _ given: MSALPublicClientApplication, _ parameters: MSALDeviceTokenParameters,
        _ completionBlock: @escaping (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) { given.getDeviceToken(with: parameters, completionBlock: completionBlock) }
    static func member26(_ given: MSALPublicClientApplication, _ parameters: MSALDeviceTokenParameters) async throws {
        let value: MSALDeviceTokenResult = try await given.deviceToken(with: parameters); _ = value
    }
    static func member27(
        _ given: MSALPublicClientApplication, _ resource: String, _ scopes: [String]?,
        _ completionBlock: @escaping (MSALDeviceTokenResult?, (any Error)?) -> Void
    ) { given.getDeviceTokenForSharedDevice(withResource: resource, scopes: scopes, completionBlock: completionBlock) }
    static func member28(_ given: MSALPublicClientApplication, _ resource: String, _ scopes: [String]?) async throws {
        let value: MSALDeviceTokenResult = try await given.deviceTokenForSharedDevice(
            withResource: resource, scopes: scopes)
            ;
        _ = value
    }
    static func member29(_ given: MSALPublicClientApplication) {
        let value: Bool = given.isCompatibleAADBrokerAvailable; _ = value
    }
    static func member30() { let value: String? = MSALPublicClientApplication.sdkVersion; _ = value }
    static func member31(
        _ given: MSALPublicClientApplication, _ parameters: MSALParameters?,
        _ completionBlock: @escaping (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) { given.getCurrentAccount(with: parameters, completionBlock: completionBlock) }
    static func member32(_ given: MSALPublicClientApplication, _ parameters: MSALParameters?) async throws {
        let value: (MSALAccount?, MSALAccount?) = try await given.currentAccount(with: parameters); _ = value
    }
}

enum UsesMSALPublicClientApplicationConfig {
    static func member33(_ clientId: String) {
        let value: MSALPublicClientApplicationConfig = MSALPublicClientApplicationConfig(clientId: clientId); _ = value
    }
    static func member34(_ clientId: String, _ redirectUri: String?, _ authority: MSALAuthority?) {
        let value: MSALPublicClientApplicationConfig = MSALPublicClientApplicationConfig(
            clientId: clientId, redirectUri: redirectUri, authority: authority)
            ;
        _ = value
    }
    static func member35(
        _ clientId: String, _ redirectUri: String?, _ authority: MSALAuthority?, _ nestedAuthBrokerClientId: String?,
        _ nestedAuthBrokerRedirectUri: String?
    ) {
        let value: MSALPublicClientApplicationConfig = MSALPublicClientApplicationConfig(
            clientId: clientId, redirectUri: redirectUri, authority: authority,
            nestedAuthBrokerClientId: nestedAuthBrokerClientId, nestedAuthBrokerRedirectUri: nestedAuthBrokerRedirectUri
        )
            ;
        _ = value
    }
    static func member36(_ given: MSALPublicClientApplicationConfig) {
        let value: String = given.clientId; given.clientId = value
    }
    static func member37(_ given: MSALPublicClientApplicationConfig) {
        let value: String? = given.redirectUri; given.redirectUri = value
    }
    static func member38(_ given: MSALPublicClientApplicationConfig) {
        let value: String = given.nestedAuthBrokerClientId; given.nestedAuthBrokerClientId = value
    }
    static func member39(_ given: MSALPublicClientApplicationConfig) {
        let value: String? = given.nestedAuthBrokerRedirectUri; given.nestedAuthBrokerRedirectUri = value
    }
    static func member40(_ given: MSALPublicClientApplicationConfig) {
        let value: MSALAuthority = given.authority; given.authority = value
    }
    static func member41(_ given: MSALPublicClientApplicationConfig) {
        let value: [MSALAuthority] = given.knownAuthorities; given.knownAuthorities = value
    }
    static func member42(_ given: MSALPublicClientApplicationConfig) {
        let value: Bool = given.extendedLifetimeEnabled; given.extendedLifetimeEnabled = value
    }
    static func member43(_ given: MSALPublicClientApplicationConfig) {
        let value: [String]? = given.clientApplicationCapabilities; given.clientApplicationCapabilities = value
    }
    static func member44(_ given: MSALPublicClientApplicationConfig) {
        let value: Double = given.tokenExpirationBuffer; given.tokenExpirationBuffer = value
    }
    static func member45(_ given: MSALPublicClientApplicationConfig) {
        let value: MSALSliceConfig? = given.sliceConfig; given.sliceConfig = value
    }
    static func member46(_ given: MSALPublicClientApplicationConfig) {
        let value: MSALCacheConfig = given.cacheConfig; _ = value
    }
    static func member47(_ given: MSALPublicClientApplicationConfig) {
        let value: Bool = given.multipleCloudsSupported; given.multipleCloudsSupported = value
    }
    static func member48(_ given: MSALPublicClientApplicationConfig) {
        let value: Bool = given.bypassRedirectURIValidation; given.bypassRedirectURIValidation = value
    }
    static func member49(_ given: MSALPublicClientApplicationConfig, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALGlobalConfig {
    static func member50() { let value: MSALHTTPConfig = MSALGlobalConfig.httpConfig; _ = value }
    static func member51() { let value: MSALTelemetryConfig = MSALGlobalConfig.telemetryConfig; _ = value }
    static func member52() { let value: MSALLoggerConfig = MSALGlobalConfig.loggerConfig; _ = value }
    static func member53() { let value: MSALBrokeredAvailability = MSALGlobalConfig.brokerAvailability; _ = value }
    static func member54() { let value: Bool = MSALGlobalConfig.shouldRequestBoundAppRefreshTokens; _ = value }
}

enum UsesMSALHTTPConfig {
    static func member55(_ given: MSALHTTPConfig) { let value: Int = given.retryCount; given.retryCount = value }
    static func member56(_ given: MSALHTTPConfig) {
        let value: TimeInterval = given.retryInterval; given.retryInterval = value
    }
    static func member57(_ given: MSALHTTPConfig) {
        let value: TimeInterval = given.timeoutIntervalForRequest; given.timeoutIntervalForRequest = value
    }
}

enum UsesMSALLoggerConfig {
    static func member58(_ given: MSALLoggerConfig) { let value: MSALLogLevel = given.logLevel; given.logLevel = value }
    static func member59(_ given: MSALLoggerConfig) {
        let value: MSALLogMaskingLevel = given.logMaskingLevel; given.logMaskingLevel = value
    }
    static func member60(_ given: MSALLoggerConfig, _ callback: @escaping MSALLogCallback) {
        given.setLogCallback(callback)
    }
    static func member61(_ given: MSALLoggerConfig) { let value: MSALLogCallback = given.callback(); _ = value }
}

enum UsesMSALTelemetryConfig {
    static func member62(_ given: MSALTelemetryConfig) { let value: Bool = given.piiEnabled; given.piiEnabled = value }
    static func member63(_ given: MSALTelemetryConfig) {
        let value: Bool = given.notifyOnFailureOnly; given.notifyOnFailureOnly = value
    }
    static func member64(_ given: MSALTelemetryConfig) {
        let value: MSALTelemetryCallback? = given.telemetryCallback; given.telemetryCallback = value
    }
}

enum UsesMSALSliceConfig {
    static func member65(_ slice: String?, _ dc: String?) {
        let value: MSALSliceConfig? = MSALSliceConfig(slice: slice, dc: dc); _ = value
    }
    static func member66(_ given: MSALSliceConfig) { let value: String = given.slice; given.slice = value }
    static func member67(_ given: MSALSliceConfig) { let value: String = given.dc; given.dc = value }
    static func member68(_ given: MSALSliceConfig) { let value: [AnyHashable: Any] = given.sliceDictionary; _ = value }
    static func member69(_ given: MSALSliceConfig, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALCacheConfig {
    static func member70(_ given: MSALCacheConfig) {
        let value: String = given.keychainSharingGroup; given.keychainSharingGroup = value
    }
    static func member71() { let value: String = MSALCacheConfig.defaultKeychainSharingGroup(); _ = value }
    static func member72(_ given: MSALCacheConfig) {
        let value: [any MSALExternalAccountProviding] = given.externalAccountProviders; _ = value
    }
    static func member73(_ given: MSALCacheConfig, _ provider: any MSALExternalAccountProviding) {
        given.addExternalAccountProvider(provider)
    }
    static func member74(_ given: MSALCacheConfig) {
        let value: MSALSerializedADALCacheProvider? = given.serializedADALCache; given.serializedADALCache = value
    }
    static func member75(_ given: MSALCacheConfig, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALWipeCacheForAllAccountsConfig {
    static func member76() {
        let value: [String: [AnyHashable: Any]] = MSALWipeCacheForAllAccountsConfig.additionalPartnerLocations();
        _ = value
    }
}

enum UsesMSALRedirectUri {
    static func member77(_ given: MSALRedirectUri) { let value: URL = given.url; _ = value }
    static func member78(_ given: MSALRedirectUri) { let value: Bool = given.brokerCapable; _ = value }
    static func member79(_ given: MSALRedirectUri, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALParameters {
    static func member80() { let value: MSALParameters = MSALParameters(); _ = value }
    static func member81(_ given: MSALParameters) {
        let value: DispatchQueue? = given.completionBlockQueue; given.completionBlockQueue = value
    }
}

enum UsesMSALTokenParameters {
    static func member82(_ scopes: [String]) {
        let value: MSALTokenParameters = MSALTokenParameters(scopes: scopes); _ = value
    }
    static func member83(_ given: MSALTokenParameters) { let value: [String] = given.scopes; given.scopes = value }
    static func member84(_ given: MSALTokenParameters) {
        let value: MSALAccount? = given.account; given.account = value
    }
    static func member85(_ given: MSALTokenParameters) {
        let value: MSALAuthority? = given.authority; given.authority = value
    }
    static func member86(_ given: MSALTokenParameters) {
        let value: MSALClaimsRequest? = given.claimsRequest; given.claimsRequest = value
    }
    static func member87(_ given: MSALTokenParameters) {
        let value: [String: String]? = given.extraQueryParameters; given.extraQueryParameters = value
    }
    static func member88(_ given: MSALTokenParameters) {
        let value: UUID? = given.correlationId; given.correlationId = value
    }
    static func member89(_ given: MSALTokenParameters) {
        let value: (any MSALAuthenticationSchemeProtocol)? = given.authenticationScheme;
        given.authenticationScheme = value
    }
    static func member90(_ given: MSALTokenParameters) {
        let value: MSALXpcMode = given.msalXpcMode; given.msalXpcMode = value
    }
}

enum UsesMSALSilentTokenParameters {
    static func member91(_ scopes: [String], _ account: MSALAccount) {
        let value: MSALSilentTokenParameters = MSALSilentTokenParameters(scopes: scopes, account: account); _ = value
    }
    static func member92(_ given: MSALSilentTokenParameters) {
        let value: Bool = given.forceRefresh; given.forceRefresh = value
    }
    static func member93(_ given: MSALSilentTokenParameters) {
        let value: Bool = given.allowUsingLocalCachedRtWhenSsoExtFailed;
        given.allowUsingLocalCachedRtWhenSsoExtFailed = value
    }
}

enum UsesMSALInteractiveTokenParameters {
    static func member94(_ scopes: [String], _ webviewParameters: MSALWebviewParameters) {
        let value: MSALInteractiveTokenParameters = MSALInteractiveTokenParameters(
            scopes: scopes, webviewParameters: webviewParameters)
            ;
        _ = value
    }
    static func member95(_ given: MSALInteractiveTokenParameters) {
        let value: MSALPromptType = given.promptType; given.promptType = value
    }
    static func member96(_ given: MSALInteractiveTokenParameters) {
        let value: String? = given.loginHint; given.loginHint = value
    }
    static func member97(_ given: MSALInteractiveTokenParameters) {
        let value: String? = given.domainHint; given.domainHint = value
    }
    static func member98(_ given: MSALInteractiveTokenParameters) {
        let value: [String]? = given.extraScopesToConsent; given.extraScopesToConsent = value
    }
    static func member99(_ given: MSALInteractiveTokenParameters) {
        let value: MSALWebviewParameters = given.webviewParameters; _ = value
    }
    static func member100(_ given: MSALInteractiveTokenParameters) {
        let value: MSALPreferredAuthMethod = given.preferredAuthMethod; given.preferredAuthMethod = value
    }
}

enum UsesMSALWebviewParameters {
    static func style(_ given: MSALWebviewParameters) {
        let value: MSALPresentationStyle = given.presentationStyle; given.presentationStyle = value
    }
    static func member101(_ parentViewController: any MSALPresenter) {
        let value: MSALWebviewParameters = MSALWebviewParameters(authPresentationViewController: parentViewController);
        _ = value
    }
    static func member102(_ given: MSALWebviewParameters) {
        let value: any MSALPresenter = given.parentViewController; given.parentViewController = value
    }
    static func member103(_ given: MSALWebviewParameters) {
        let value: Bool = given.prefersEphemeralWebBrowserSession; given.prefersEphemeralWebBrowserSession = value
    }
    static func member104(_ given: MSALWebviewParameters) {
        let value: MSALWebviewType = given.webviewType; given.webviewType = value
    }
    static func member105(_ given: MSALWebviewParameters, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALSignoutParameters {
    static func member106() { let value: MSALSignoutParameters = MSALSignoutParameters(); _ = value }
    static func member107(_ webviewParameters: MSALWebviewParameters) {
        let value: MSALSignoutParameters = MSALSignoutParameters(webviewParameters: webviewParameters); _ = value
    }
    static func member108(_ given: MSALSignoutParameters) {
        let value: MSALWebviewParameters = given.webviewParameters; _ = value
    }
    static func member109(_ given: MSALSignoutParameters) {
        let value: Bool = given.signoutFromBrowser; given.signoutFromBrowser = value
    }
    static func member110(_ given: MSALSignoutParameters) {
        let value: Bool = given.wipeAccount; given.wipeAccount = value
    }
    static func member111(_ given: MSALSignoutParameters) {
        let value: Bool = given.wipeCacheForAllAccounts; given.wipeCacheForAllAccounts = value
    }
    static func member112(_ given: MSALSignoutParameters) {
        let value: [String: String]? = given.extraQueryParameters; given.extraQueryParameters = value
    }
}

enum UsesMSALAccountEnumerationParameters {
    static func member113() {
        let value: MSALAccountEnumerationParameters = MSALAccountEnumerationParameters(); _ = value
    }
    static func member114(_ identifier: String) {
        let value: MSALAccountEnumerationParameters = MSALAccountEnumerationParameters(identifier: identifier);
        _ = value
    }
    static func member115(_ identifier: String?, _ username: String) {
        let value: MSALAccountEnumerationParameters = MSALAccountEnumerationParameters(
            identifier: identifier, username: username)
            ;
        _ = value
    }
    static func member116(_ tenantProfileIdentifier: String) {
        let value: MSALAccountEnumerationParameters = MSALAccountEnumerationParameters(
            tenantProfileIdentifier: tenantProfileIdentifier)
            ;
        _ = value
    }
    static func member117(_ given: MSALAccountEnumerationParameters) {
        let value: String? = given.identifier; _ = value
    }
    static func member118(_ given: MSALAccountEnumerationParameters) {
        let value: String? = given.tenantProfileIdentifier; _ = value
    }
    static func member119(_ given: MSALAccountEnumerationParameters) { let value: String? = given.username; _ = value }
    static func member120(_ given: MSALAccountEnumerationParameters) {
        let value: Bool = given.returnOnlySignedInAccounts; given.returnOnlySignedInAccounts = value
    }
}

enum UsesMSALDeviceTokenParameters {
    static func member121(_ resource: String, _ scopes: [String]?, _ tenantId: String) {
        let value: MSALDeviceTokenParameters = MSALDeviceTokenParameters(
            resource: resource, scopes: scopes, forTenantId: tenantId)
            ;
        _ = value
    }
    static func member122(_ given: MSALDeviceTokenParameters) { let value: String? = given.tenantId; _ = value }
    static func member123(_ given: MSALDeviceTokenParameters) { let value: String = given.resource; _ = value }
}

enum UsesMSALResult {
    static func member124(_ given: MSALResult) { let value: String = given.accessToken; _ = value }
    static func member125(_ given: MSALResult) { let value: Date? = given.expiresOn; _ = value }
    static func member126(_ given: MSALResult) { let value: Bool = given.extendedLifeTimeToken; _ = value }
    static func member127(_ given: MSALResult) { let value: String? = given.idToken; _ = value }
    static func member128(_ given: MSALResult) { let value: [String] = given.scopes; _ = value }
    static func member129(_ given: MSALResult) { let value: MSALTenantProfile = given.tenantProfile; _ = value }
    static func member130(_ given: MSALResult) { let value: MSALAccount = given.account; _ = value }
    static func member131(_ given: MSALResult) { let value: MSALAuthority = given.authority; _ = value }
    static func member132(_ given: MSALResult) { let value: UUID = given.correlationId; _ = value }
    static func member133(_ given: MSALResult) { let value: String = given.authorizationHeader; _ = value }
    static func member134(_ given: MSALResult) { let value: String = given.authenticationScheme; _ = value }
}

enum UsesMSALAccountProtocol {
    static func member135(_ given: any MSALAccountProtocol) { let value: String? = given.username; _ = value }
    static func member136(_ given: any MSALAccountProtocol) { let value: String? = given.identifier; _ = value }
    static func member137(_ given: any MSALAccountProtocol) { let value: String = given.environment; _ = value }
    static func member138(_ given: any MSALAccountProtocol) {
        let value: [String: Any]? = given.accountClaims; _ = value
    }
    static func member139(_ given: any MSALAccountProtocol) {
        let value: [MSALTenantProfile]? = given.tenantProfiles; _ = value
    }
    static func member140(_ given: any MSALAccountProtocol) {
        let value: MSALAccountId? = given.homeAccountId; _ = value
    }
    static func member141(_ given: any MSALAccountProtocol) { let value: Bool = given.isSSOAccount; _ = value }
}

enum UsesMSALAccount {
    static func member142(_ given: MSALAccount) { let value: String? = given.username; _ = value }
    static func member143(_ given: MSALAccount) { let value: String? = given.identifier; _ = value }
    static func member144(_ given: MSALAccount) { let value: String = given.environment; _ = value }
    static func member145(_ given: MSALAccount) { let value: [String: Any]? = given.accountClaims; _ = value }
    static func member146(_ given: MSALAccount) { let value: [MSALTenantProfile]? = given.tenantProfiles; _ = value }
    static func member147(_ given: MSALAccount) { let value: MSALAccountId? = given.homeAccountId; _ = value }
    static func member148(_ given: MSALAccount) { let value: Bool = given.isSSOAccount; _ = value }
    static func member149(_ given: MSALAccount, _ zone: NSZone?) { let value: Any = given.copy(with: zone); _ = value }
}

enum UsesMSALAccountId {
    static func member150(_ given: MSALAccountId) { let value: String = given.identifier; _ = value }
    static func member151(_ given: MSALAccountId) { let value: String? = given.objectId; _ = value }
    static func member152(_ given: MSALAccountId) { let value: String? = given.tenantId; _ = value }
    static func member153(_ given: MSALAccountId, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALTenantProfile {
    static func member154(_ given: MSALTenantProfile) { let value: String? = given.identifier; _ = value }
    static func member155(_ given: MSALTenantProfile) { let value: String? = given.environment; _ = value }
    static func member156(_ given: MSALTenantProfile) { let value: String? = given.tenantId; _ = value }
    static func member157(_ given: MSALTenantProfile) { let value: Bool = given.isHomeTenantProfile; _ = value }
    static func member158(_ given: MSALTenantProfile) { let value: [String: Any]? = given.claims; _ = value }
    static func member159(_ given: MSALTenantProfile, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALDeviceInformation {
    static func member160(_ given: MSALDeviceInformation) { let value: MSALDeviceMode = given.deviceMode; _ = value }
    static func member161(_ given: MSALDeviceInformation) {
        let value: MSALPreferredAuthMethod = given.configuredPreferredAuthMethod; _ = value
    }
    static func member162(_ given: MSALDeviceInformation) { let value: Bool = given.hasAADSSOExtension; _ = value }
    static func member163(_ given: MSALDeviceInformation) {
        let value: MSALPlatformSSOStatus = given.platformSSOStatus; _ = value
    }
    static func member164(_ given: MSALDeviceInformation) {
        let value: [AnyHashable: Any] = given.extraDeviceInformation; _ = value
    }
}

enum UsesMSALWPJMetaData {
    static func member165(_ given: MSALWPJMetaData) {
        let value: [AnyHashable: Any] = given.extraDeviceInformation; _ = value
    }
}

enum UsesMSALDeviceTokenResult {
    static func member166(
        _ accessToken: String, _ deviceInformation: String?, _ expiresOn: Date?, _ scopes: [String],
        _ authority: MSALAuthority?
    ) {
        let value: MSALDeviceTokenResult = MSALDeviceTokenResult(
            accessToken: accessToken, deviceInformation: deviceInformation, expiresOn: expiresOn, scopes: scopes,
            authority: authority)
            ;
        _ = value
    }
    static func member167(_ given: MSALDeviceTokenResult) { let value: String = given.accessToken; _ = value }
    static func member168(_ given: MSALDeviceTokenResult) { let value: String? = given.deviceInformation; _ = value }
    static func member169(_ given: MSALDeviceTokenResult) { let value: Date? = given.expiresOn; _ = value }
    static func member170(_ given: MSALDeviceTokenResult) { let value: [String] = given.scopes; _ = value }
    static func member171(_ given: MSALDeviceTokenResult) { let value: MSALAuthority? = given.authority; _ = value }
}

func global172() { let value: String! = MSAL_PRIMARY_REGISTRATION_UPN; _ = value }
func global173() { let value: String! = MSAL_PRIMARY_REGISTRATION_DEVICE_ID; _ = value }
func global174() { let value: String! = MSAL_PRIMARY_REGISTRATION_TENANT_ID; _ = value }
func global175() { let value: String! = MSAL_PRIMARY_REGISTRATION_CLOUD; _ = value }
func global176() { let value: String! = MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT; _ = value }
enum UsesMSALAuthority {
    static func member177(_ url: URL) throws { let value: MSALAuthority = try MSALAuthority(url: url); _ = value }
    static func member178(_ given: MSALAuthority) { let value: URL = given.url; _ = value }
    static func member179(_ given: MSALAuthority, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

enum UsesMSALAADAuthority {
    static func member180(_ url: URL) throws { let value: MSALAADAuthority = try MSALAADAuthority(url: url); _ = value }
    static func member181(_ url: URL, _ rawTenant: String?) throws {
        let value: MSALAADAuthority = try MSALAADAuthority(url: url, rawTenant: rawTenant); _ = value
    }
    static func member182(
        _ cloudInstance: MSALAzureCloudInstance, _ audienceType: MSALAudienceType, _ rawTenant: String?
    ) throws {
        let value: MSALAADAuthority = try MSALAADAuthority(
            cloudInstance: cloudInstance, audienceType: audienceType, rawTenant: rawTenant)
            ;
        _ = value
    }
    static func member183(_ environment: String, _ audienceType: MSALAudienceType, _ rawTenant: String?) throws {
        let value: MSALAADAuthority = try MSALAADAuthority(
            environment: environment, audienceType: audienceType, rawTenant: rawTenant)
            ;
        _ = value
    }
}

enum UsesMSALB2CAuthority {
    static func member184(_ url: URL) throws { let value: MSALB2CAuthority = try MSALB2CAuthority(url: url); _ = value }
}

enum UsesMSALADFSAuthority {
    static func member185(_ url: URL) throws {
        let value: MSALADFSAuthority = try MSALADFSAuthority(url: url); _ = value
    }
}

enum UsesMSALCIAMAuthority {
    static func member186(_ url: URL) throws {
        let value: MSALCIAMAuthority = try MSALCIAMAuthority(url: url); _ = value
    }
    static func member187(_ url: URL, _ validateFormat: Bool) throws {
        let value: MSALCIAMAuthority = try MSALCIAMAuthority(url: url, validateFormat: validateFormat); _ = value
    }
}

enum UsesMSALJsonSerializable {
    static func member188(_ given: any MSALJsonSerializable) { let value: String? = given.jsonString(); _ = value }
}

enum UsesMSALJsonDeserializable {
    static func member189<Given: MSALJsonDeserializable>(
        _ type: Given.Type, _ jsonString: String, _ error: NSErrorPointer
    ) { let value: Given = Given(jsonString: jsonString, error: error); _ = value }
}

enum UsesMSALClaimsRequest {
    static func member190() { let value: MSALClaimsRequest = MSALClaimsRequest(); _ = value }
    static func member191(_ jsonString: String, _ error: NSErrorPointer) {
        let value: MSALClaimsRequest = MSALClaimsRequest(jsonString: jsonString, error: error); _ = value
    }
    static func member192(
        _ given: MSALClaimsRequest, _ request: MSALIndividualClaimRequest, _ target: MSALClaimsRequestTarget
    ) throws { try given.requestClaim(request, for: target) }
    static func member193(_ given: MSALClaimsRequest, _ name: String, _ target: MSALClaimsRequestTarget) throws {
        try given.removeClaim(withName: name, target: target)
    }
    static func member194(_ given: MSALClaimsRequest, _ target: MSALClaimsRequestTarget) {
        let value: [MSALIndividualClaimRequest]? = given.claimsRequests(for: target); _ = value
    }
    static func member195(_ given: MSALClaimsRequest) { let value: String? = given.jsonString(); _ = value }
}

enum UsesMSALIndividualClaimRequest {
    static func member196(_ name: String) {
        let value: MSALIndividualClaimRequest = MSALIndividualClaimRequest(name: name); _ = value
    }
    static func member197(_ given: MSALIndividualClaimRequest) { let value: String = given.name; given.name = value }
    static func member198(_ given: MSALIndividualClaimRequest) {
        let value: MSALIndividualClaimRequestAdditionalInfo? = given.additionalInfo; given.additionalInfo = value
    }
}

enum UsesMSALIndividualClaimRequestAdditionalInfo {
    static func member199() {
        let value: MSALIndividualClaimRequestAdditionalInfo = MSALIndividualClaimRequestAdditionalInfo(); _ = value
    }
    static func member200(_ given: MSALIndividualClaimRequestAdditionalInfo) {
        let value: NSNumber? = given.essential; given.essential = value
    }
    static func member201(_ given: MSALIndividualClaimRequestAdditionalInfo) {
        let value: Any? = given.value; given.value = value
    }
    static func member202(_ given: MSALIndividualClaimRequestAdditionalInfo) {
        let value: [Any]? = given.values; given.values = value
    }
}

enum UsesMSALClaimsRequestTarget {
    static let cases: [MSALClaimsRequestTarget] = [
        .idToken,
        .accessToken,
    ]
}

enum UsesMSALAuthenticationSchemeProtocol {
    static func member203(_ given: any MSALAuthenticationSchemeProtocol) {
        let value: MSALAuthScheme = given.scheme; _ = value
    }
    static func member204(_ given: any MSALAuthenticationSchemeProtocol) {
        let value: String = given.authenticationScheme; _ = value
    }
}

enum UsesMSALAuthenticationSchemeBearer {
    static func member205() { let value: MSALAuthenticationSchemeBearer = MSALAuthenticationSchemeBearer(); _ = value }
    static func member206(_ given: MSALAuthenticationSchemeBearer) {
        let value: MSALAuthScheme = given.scheme; _ = value
    }
    static func member207(_ given: MSALAuthenticationSchemeBearer) {
        let value: String = given.authenticationScheme; _ = value
    }
}

enum UsesMSALAuthenticationSchemePop {
    static func member208(
        _ httpMethod: MSALHttpMethod, _ requestUrl: URL, _ nonce: String?, _ additionalParameters: [AnyHashable: Any]?
    ) {
        let value: MSALAuthenticationSchemePop = MSALAuthenticationSchemePop(
            httpMethod: httpMethod, request: requestUrl, nonce: nonce, additionalParameters: additionalParameters)
            ;
        _ = value
    }
    static func member209(_ given: MSALAuthenticationSchemePop) { let value: MSALAuthScheme = given.scheme; _ = value }
    static func member210(_ given: MSALAuthenticationSchemePop) {
        let value: String = given.authenticationScheme; _ = value
    }
}

enum UsesMSALAuthScheme {
    static let cases: [MSALAuthScheme] = [
        .bearer,
        .pop,
    ]
}

enum UsesMSALHttpMethod {
    static let cases: [MSALHttpMethod] = [
        .GET,
        .HEAD,
        .POST,
        .PUT,
        .DELETE,
        .CONNECT,
        .OPTIONS,
        .TRACE,
        .PATCH,
    ]
}

func global211(_ httpMethod: MSALHttpMethod) {
    let value: String = MSALParameterStringForHttpMethod(httpMethod); _ = value
}
enum UsesMSALExternalAccountProviding {
    static func member212(
        _ given: any MSALExternalAccountProviding, _ account: any MSALAccountProtocol,
        _ idTokenClaims: [AnyHashable: Any]
    ) throws { try given.update(account, idTokenClaims: idTokenClaims) }
    static func member213(
        _ given: any MSALExternalAccountProviding, _ account: any MSALAccountProtocol, _ wipeAccount: Bool,
        _ tenantProfiles: [MSALTenantProfile]?
    ) throws { try given.remove(account, wipeAccount: wipeAccount, tenantProfiles: tenantProfiles) }
    static func member214(_ given: any MSALExternalAccountProviding, _ parameters: MSALAccountEnumerationParameters)
        throws
    { let value: [any MSALAccountProtocol] = try given.accounts(with: parameters); _ = value }
}

enum UsesMSALSerializedADALCacheProviderDelegate {
    static func member215(
        _ given: any MSALSerializedADALCacheProviderDelegate, _ cache: MSALSerializedADALCacheProvider
    ) { given.willAccessCache(cache) }
    static func member216(
        _ given: any MSALSerializedADALCacheProviderDelegate, _ cache: MSALSerializedADALCacheProvider
    ) { given.didAccessCache(cache) }
    static func member217(
        _ given: any MSALSerializedADALCacheProviderDelegate, _ cache: MSALSerializedADALCacheProvider
    ) { given.willWriteCache(cache) }
    static func member218(
        _ given: any MSALSerializedADALCacheProviderDelegate, _ cache: MSALSerializedADALCacheProvider
    ) { given.didWriteCache(cache) }
}

enum UsesMSALSerializedADALCacheProvider {
    static func member219(_ delegate: any MSALSerializedADALCacheProviderDelegate) throws {
        let value: MSALSerializedADALCacheProvider = try MSALSerializedADALCacheProvider(delegate: delegate); _ = value
    }
    static func member220(_ given: MSALSerializedADALCacheProvider) {
        let value: any MSALSerializedADALCacheProviderDelegate = given.delegate; _ = value
    }
    static func member221(_ given: MSALSerializedADALCacheProvider) throws {
        let value: Data = try given.serializeData(); _ = value
    }
    static func member222(_ given: MSALSerializedADALCacheProvider, _ serializedBlob: Data) throws {
        try given.deserialize(serializedBlob)
    }
    static func member223(_ given: MSALSerializedADALCacheProvider, _ zone: NSZone?) {
        let value: Any = given.copy(with: zone); _ = value
    }
}

func global224() { let value: String! = MSALErrorDomain; _ = value }
func global225() { let value: String! = MSALOAuthErrorKey; _ = value }
func global226() { let value: String! = MSALOAuthSubErrorKey; _ = value }
func global227() { let value: String! = MSALOAuthSubErrorDescriptionKey; _ = value }
func global228() { let value: String! = MSALErrorDescriptionKey; _ = value }
func global229() { let value: String! = MSALSTSErrorCodesKey; _ = value }
func global230() { let value: String! = MSALInternalErrorCodeKey; _ = value }
func global231() { let value: String! = MSALHTTPHeadersKey; _ = value }
func global232() { let value: String! = MSALCorrelationIDKey; _ = value }
func global233() { let value: String! = MSALHTTPResponseCodeKey; _ = value }
func global234() { let value: String! = MSALDeclinedScopesKey; _ = value }
func global235() { let value: String! = MSALGrantedScopesKey; _ = value }
func global236() { let value: String! = MSALDisplayableUserIdKey; _ = value }
func global237() { let value: String! = MSALHomeAccountIdKey; _ = value }
func global238() { let value: String! = MSALInvalidResultKey; _ = value }
func global239() { let value: String! = MSALBrokerVersionKey; _ = value }
func global240() { let value: String! = MSALThrottlingCacheHitKey; _ = value }
enum UsesMSALError {
    static let cases: [MSALError] = [
        .internal,
        .workplaceJoinRequired,
        .interactionRequired,
        .serverDeclinedScopes,
        .serverProtectionPoliciesRequired,
        .userCanceled,
        .serverError,
        .insufficientDeviceStrength,
        .mdmEnrollmentCompletedNeedsRetry,
        .serverInvalidRequestResetPasswordRequired,
    ]
}

enum UsesMSALInternalError {
    static let cases: [MSALInternalError] = [
        .internalErrorInvalidParameter,
        .internalErrorRedirectSchemeNotRegistered,
        .internalErrorInvalidRequest,
        .internalErrorInvalidClient,
        .internalErrorInvalidGrant,
        .internalErrorInvalidScope,
        .internalErrorUnauthorizedClient,
        .internalErrorUnhandledResponse,
        .internalErrorUnexpected,
        .internalErrorUnexpectedHttpResponse,
        .internalErrorFailedAuthorityValidation,
        .internalErrorInvalidRedirectURI,
        .internalErrorMismatchedUser,
        .internalErrorAmbiguousAccount,
        .internalErrorAuthorizationFailed,
        .internalErrorAccountRequired,
        .internalErrorSessionCanceled,
        .internalErrorInteractiveSessionAlreadyRunning,
        .internalErrorNoViewController,
        .internalErrorAttemptToOpenURLFromExtension,
        .internalErrorUINotSupportedInExtension,
        .internalErrorInvalidState,
        .internalErrorInvalidResponse,
        .internalErrorNonHttpsRedirect,
        .internalErrorBrokerResponseNotReceived,
        .internalErrorBrokerNoResumeStateFound,
        .internalErrorBrokerBadResumeStateFound,
        .internalErrorBrokerMismatchedResumeState,
        .internalErrorBrokerResponseHashMissing,
        .internalErrorBrokerCorruptedResponse,
        .internalErrorBrokerResponseDecryptionFailed,
        .internalErrorBrokerResponseHashMismatch,
        .internalErrorBrokerKeyFailedToCreate,
        .internalErrorBrokerKeyNotFound,
        .internalErrorBrokerUnknown,
        .internalErrorBrokerApplicationTokenWriteFailed,
        .internalErrorBrokerApplicationTokenReadFailed,
        .internalBrokerNotAvailable,
        .internalErrorJITLinkServerConfirmationError,
        .internalErrorJITLinkAcquireTokenError,
        .internalErrorJITLinkTokenAcquiredWrongTenant,
        .internalErrorJITLinkError,
        .internalErrorJITComplianceCheckResultNotCompliant,
        .internalErrorJITComplianceCheckResultTimeout,
        .internalErrorJITComplianceCheckResultUnknown,
        .errorJITComplianceCheckInvalidLinkPayload,
        .errorJITComplianceCheckCreateController,
        .errorJITLinkConfigNotFound,
        .errorJITInvalidLinkTokenConfig,
        .errorJITWPJDeviceRegistrationFailed,
        .errorJITWPJAccountIdentifierNil,
        .errorJITWPJAcquireTokenError,
        .errorJITRetryRequired,
        .errorJITUnknownStatusWebCP,
        .errorJITTroubleshootingCreateController,
        .errorJITTroubleshootingAcquireToken,
        .internalErrorJITLinkServerConfirmationTimeout,
        .errorJITTroubleshootingRequired,
        .errorJITTroubleshootingResultUnknown,
        .errorDeviceNotPSSORegistered,
        .errorPSSOKeyIdMismatch,
        .errorJITErrorHandlingConfigNotFound,
        .errorPSSOBiometricPolicyMismatch,
        .errorPSSOInvalidPasskeyExtension,
        .errorPSSOSaveLoginConfigFailure,
        .errorPSSOPasskeyLAError,
        .errorPSSOBiometricsNotAvailable,
        .errorPSSOBiometricsNotEnrolled,
        .internalErrorInvalidASWebAuthenticationURL,
    ]
}

enum UsesMSALLogLevel {
    static let cases: [MSALLogLevel] = [
        .nothing,
        .error,
        .warning,
        .info,
        .verbose,
    ]
    static func member241() { let value: MSALLogLevel = MSALLogLevel.last; _ = value }
}

enum UsesMSALLogMaskingLevel {
    static let cases: [MSALLogMaskingLevel] = [
        .settingsMaskAllPII,
        .settingsMaskEUIIOnly,
        .settingsMaskSecretsOnly,
    ]
}

enum UsesMSALWebviewType {
    static let cases: [MSALWebviewType] = [
        .default,
        .authenticationSession,
        .safariViewController,
        .wkWebView,
    ]
}

enum UsesMSALBrokeredAvailability {
    static let cases: [MSALBrokeredAvailability] = [
        .auto,
        .none,
    ]
}

enum UsesMSALPromptType {
    static let cases: [MSALPromptType] = [
        .selectAccount,
        .login,
        .consent,
        .create,
        .promptIfNecessary,
    ]
    static func member242() { let value: MSALPromptType = MSALPromptType.`default`; _ = value }
}

enum UsesMSALDeviceMode {
    static let cases: [MSALDeviceMode] = [
        .default,
        .shared,
    ]
}

enum UsesMSALPlatformSSOStatus {
    static let cases: [MSALPlatformSSOStatus] = [
        .notEnabled,
        .enabledNotRegistered,
        .enabledAndRegistered,
        .registrationNeedsRepair,
    ]
}

enum UsesMSALPreferredAuthMethod {
    static let cases: [MSALPreferredAuthMethod] = [
        .none,
        .QRPIN,
    ]
}

enum UsesMSALXpcMode {
    static let cases: [MSALXpcMode] = [
        .disabled,
        .ssoExtCompanion,
        .ssoExtBackup,
        .primary,
    ]
}

enum UsesMSALAudienceType {
    static let cases: [MSALAudienceType] = [
        .azureADAndPersonalMicrosoftAccountAudience,
        .azureADMultipleOrgsAudience,
        .azureADMyOrgOnlyAudience,
        .personalMicrosoftAccountAudience,
    ]
}

enum UsesMSALAzureCloudInstance {
    static let cases: [MSALAzureCloudInstance] = [
        .publicCloudInstance,
        .chinaCloudInstance,
        .germanyCloudInstance,
        .usGovernmentCloudInstance,
        .franceCloudInstance,
        .delosCloudInstance,
        .govSGCloudInstance,
    ]
}

func global243(_ given: @escaping MSALCompletionBlock) {
    let value: (MSALResult?, (any Error)?) -> Void = given; _ = value
}
func global244(_ given: @escaping MSALAccountsCompletionBlock) {
    let value: ([MSALAccount]?, (any Error)?) -> Void = given; _ = value
}
func global245(_ given: @escaping MSALCurrentAccountCompletionBlock) {
    let value: (MSALAccount?, MSALAccount?, (any Error)?) -> Void = given; _ = value
}
func global246(_ given: @escaping MSALSignoutCompletionBlock) {
    let value: (Bool, (any Error)?) -> Void = given; _ = value
}
func global247(_ given: @escaping MSALDeviceInformationCompletionBlock) {
    let value: (MSALDeviceInformation?, (any Error)?) -> Void = given; _ = value
}
func global248(_ given: @escaping MSALWPJMetaDataCompletionBlock) {
    let value: (MSALWPJMetaData?, (any Error)?) -> Void = given; _ = value
}
func global249(_ given: @escaping MSALDeviceTokenResultCompletionBlock) {
    let value: (MSALDeviceTokenResult?, (any Error)?) -> Void = given; _ = value
}
func global250(_ given: @escaping MSALLogCallback) {
    let value: (MSALLogLevel, String?, Bool) -> Void = given; _ = value
}
func global251(_ given: @escaping MSALTelemetryCallback) { let value: ([String: String]) -> Void = given; _ = value }
func global252() { let value: Double = MSAL__Framework_VersionNumber; _ = value }
func global253() { let value: String = MSAL__Framework_VersionString; _ = value }
func global254() { let value: String! = MSALWebAuthDidStartLoadNotification; _ = value }
func global255() { let value: String! = MSALWebAuthDidFinishLoadNotification; _ = value }
func global256() { let value: String! = MSALWebAuthDidFailNotification; _ = value }
func global257() { let value: String! = MSALWebAuthDidCompleteNotification; _ = value }
func global258() { let value: String! = MSALWebAuthWillSwitchToBrokerApp; _ = value }
func global259() { let value: String! = MSALWebAuthDidReceiveResponseFromBroker; _ = value }

func viewController(_ given: any MSALPresenter) -> MSALViewController { given }

let notificationNames: [NSNotification.Name] = [
    .MSALWebAuthDidStartLoad, .MSALWebAuthDidFinishLoad, .MSALWebAuthDidFail, .MSALWebAuthDidComplete,
]
