import MSAL
import OAuthCore

/// The words of programs and protocols, which a copy keeps. A word that isn't here can be a name.
enum CopyVocabulary {
    // MARK: Words of a line

    /// Levels, methods, programs and systems, alone in a line.
    static let words = set(
        """
        TRACE VERBOSE DEBUG INFO NOTICE WARN WARNING ERROR FATAL CRITICAL Trace Verbose Debug Info Information Warn Warning Error \
        Fatal Critical trace verbose debug info warn warning error fatal dbug fail crit \
        GET POST PUT PATCH DELETE HEAD OPTIONS CONNECT HTTP HTTP/1.0 HTTP/1.1 HTTP/2 HTTP/2.0 HTTP/3 \
        TID MSAL ADAL iOS Sim Mac macOS Android Windows Linux main thread line File Traceback \
        Error Domain Code UserInfo null nil undefined true false True False None masked Masked not-null pii \
        send reply header b request response status HTTPS http https TLS OAuth OIDC \
        Bearer Basic DPoP PoP no-cache no-store UTC GMT \
        authorization_code refresh_token client_credentials device_code id_token access_token S256 openid offline_access \
        User.Read form_post fragment query none select_account \
        application/json application/x-www-form-urlencoded text/html text/plain text/event-stream charset=utf-8 utf-8 UTF-8 \
        connectionpool keep-alive chunked Kestrel nginx \
        OK Created Accepted Found Moved Permanently Temporary Redirect Bad Request Unauthorized Forbidden Not Internal Server \
        Gateway Timeout Unavailable Trace Correlation Timestamp ID Id Request
        """)

    /// Loggers and other names of programs, whose parts are separated by dots.
    private static let loggers = set(
        """
        urllib3.connectionpool urllib3.util.retry httpx httpcore.connection httpcore.http11 httpcore.http2 httpcore.proxy \
        msal.application msal.authority msal.token_cache msal.oauth2cli.oauth2 msal.oauth2cli.oidc msal.oauth2cli.authcode \
        msal.oauth2cli.http msal.telemetry msal.broker msal.managed_identity msal.region msal.individual_cache \
        msal.throttled_http_client msal_extensions az_command_data_logger requests_oauthlib.oauth2_session cli.azure cli.knack \
        grpc.code
        """)

    /// The beginnings of names that belong to one vendor.
    private static let packages = [
        "azure.cli.", "azure.core.", "azure.identity.", "azure.mgmt.", "cli.azure.", "cli.knack.",
        "com.microsoft.identity.",
        "com.microsoft.aad.", "com.azure.identity.", "com.azure.core.", "Microsoft.Identity.",
        "Microsoft.IdentityModel.",
        "Microsoft.AspNetCore.", "Microsoft.Extensions.", "System.Net.", "System.Exception",
        "System.InvalidOperationException",
        "System.Security.", "System.Threading.", "org.springframework.", "org.keycloak.", "net.openid.appauth.",
        "org.openid.appauth.", "java.lang.", "java.net.", "javax.net.", "google.auth.", "google.oauth2.", "mcp.client.",
        "mcp.server.", "IdentityModel.OidcClient.", "Duende.IdentityModel.", "android.intent.", "okhttp3.",
        "com.apple.AuthenticationServices.",
    ]

    /// The names of packages of npm, before a version.
    private static let modules = ["@azure/msal-", "@azure/identity", "@azure/core-", "msal.js"]

    /// Words of errors about signing in. None is a name.
    private static let terms = set(
        """
        redirect_uri redirect_uris redirect URI URL uri url registered register registration client client_id client_secret secret         invalid missing expired expires expiry revoked required requires verifier challenge code_challenge code_verifier proof         key keys PKCE scope scopes audience issuer nonce state session cookie cookies callback unknown unauthorized mismatch         mismatching match matches matching named group organization isn't aren't wasn't does do did doesn't not no is isn't are was be been the a an of for this that these with         without to in on at by from and or but only has have had can can't cannot could will must should may any all one two         code codes grant grant_type response_type parameter parameters value values application app tenant user users request         requests response token tokens authorization authentication authenticate server failed fail failure denied access         consent certificate certificates proxy connection connect refused timeout timed out host hosts network resolve resolved         login sign-in sign-out signed log logged account accounts cache cached found find set get got use used using already         again retry retrying exception unexpected error errors warning message description supported unsupported allowed         disallowed configured configuration file folder line browser open opened opening start started starting finished         successfully success successful new old current your you please see try Please The This An Invalid Unknown Missing         Failed Could Cannot Unable unable \
        due oidc s E W I F expected Expected expecting got received actual provided returned provider given reply address addresses audiences \
        Audience Audiences validation issued different resource Resource protected Protected metadata Metadata incompatible subject \
        presented assertion valid Valid equal instead wrong Issuer Nonce State Scope URIs requesting Authorization specified record \
        federated identity Did sent we We received hostname vs \
        Starting Sending Received Request Response Token Client Application Description
        """)

    static func hasWord(_ word: String) -> Bool {
        words.contains(word) || terms.contains(word) || loggers.contains(word) || isOfPackage(word) || isOfModule(word)
            || isVersion(word) || Statement.isParticle(word)
    }

    /// Whether words in quotation marks or brackets can be a name: of one that has a name if such a word precedes, otherwise if
    /// they begin like one.
    static func canBeName(_ text: String, after before: String) -> Bool {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count <= 5, words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIILetter) }),
            !statuses.contains(text)
        else { return false }
        let first = words[0].utf8
        let isCapitalised =
            first.first.map { (65...90).contains($0) } ?? false && first.dropFirst().contains { $0 > 90 }
        return isCapitalised || haveNames.contains(before.lowercased())
    }

    /// What has a name.
    private static let haveNames = set("named name user account application app tenant client group organization")

    /// What isn't a name although it begins like one.
    private static let statuses: Set = [
        "Accepted", "Bad Gateway", "Bad Request", "Basic", "Bearer", "Created", "Error", "False", "Forbidden", "Found",
        "Gateway Timeout", "Internal Server Error", "Moved Permanently", "None", "Not Found",
        "Proxy Authentication Required",
        "Service Unavailable", "Temporary Redirect", "True", "Unauthorized",
    ]

    private static func isOfPackage(_ word: String) -> Bool {
        guard word.utf8.count <= 160, let package = packages.first(where: word.hasPrefix) else { return false }
        return word.dropFirst(package.count).split(separator: ".").allSatisfy { part in
            part.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "_") }
        }
    }

    private static let moduleNames = set("browser node common react angular identity rest-pipeline client util")

    private static func isOfModule(_ word: String) -> Bool {
        guard let module = modules.first(where: word.hasPrefix) else { return false }
        let rest = word.dropFirst(module.count).split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        return (rest[0].isEmpty || moduleNames.contains(String(rest[0])))
            && (rest.count < 2 || isVersion(String(rest[1])))
    }

    /// At most three numbers: four can be an address.
    private static func isVersion(_ word: String) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return (2...3).contains(parts.count)
            && parts.allSatisfy { (1...3).contains($0.count) && $0.utf8.allSatisfy(\.isDigit) }
    }

    /// Words before the number of a thread, a line or a status.
    static let beforeNumbers = set(
        "tid thread thread_id thread_name threadid pid line status status_code statuscode code http http/1.1 http/2 response"
    )

    // MARK: Names of values

    /// Whether a name says a value's role in common words alone. A longer one can name an owner.
    private static func isOfRole(_ name: String) -> Bool {
        var rest = name.lowercased().filter { $0.isLetter || $0.isNumber }[...]
        guard name.utf8.count <= 80, ValueRole.of(name) != nil else { return false }
        while let part = parts.first(where: rest.hasPrefix) { rest = rest.dropFirst(part.count) }
        return rest.isEmpty
    }

    /// The longer ones first.
    private static let parts = set(
        """
        spring security oauth2 oauth oidc openid resourceserver resource server jwt issuer redirect callback reply uris uri urls \
        url client application id tenant directory audiences audience authority allowed valid authorized registered configured \
        root external public site next auth app content scopes scope required granted web base connect provider arg
        """
    ).sorted { ($1.count, $0) < ($0.count, $1) }

    /// Whether a name with a value is one of a protocol, a configuration or a log.
    static func hasName(_ name: String) -> Bool {
        WireParameter.isCopied(member: name) || settings.contains(name) || fields.contains(name) || isOfRole(name)
            || claims.contains(name)
            || WireParameter.named(name)?.isHeader == true
    }

    /// Whether the value of a name has a form that decides what is kept, as in a configuration.
    static func isSetting(_ name: String) -> Bool {
        (settings.contains(name) || claims.contains(name) && WireParameter.named(name) == nil)
            && !WireParameter.isCopied(member: name)
            || name.firstIndex(of: ":").map { namespaces.contains(String(name[..<$0])) } ?? false
    }

    /// Whether the value of a name is a text.
    static func isText(_ name: String) -> Bool { fields.contains(name) && !WireParameter.isCopied(member: name) }

    private static let claims = Set(ClaimDictionary.bundled.names)

    /// Members of configurations: of Microsoft.Identity.Web, MSAL for Android, registrations and kubeconfig.
    private static let settings = set(
        """
        AzureAd AzureAD AzureAdB2C Instance Domain TenantId ClientId ClientSecret CallbackPath SignedOutCallbackPath Scopes \
        Authority Audience BaseUrl GraphResourceId AllowedHosts ValidateIssuer SignUpSignInPolicyId ClientCapabilities \
        authorities account_mode authorization_user_agent authority_url tenant_id type audience default \
        broker_redirect_uri_registered shared_device_mode_supported environment minimum_required_broker_protocol_version \
        client_name redirect_uris grant_types response_types token_endpoint_auth_method authorization_servers \
        scopes_supported registration_endpoint \
        apiVersion kind clusters cluster server contexts context users user exec command args env interactiveMode \
        current-context provideClusterInfo installHint preferences certificate-authority-data client-certificate-data \
        clientId clientID authority tenantId redirectUri postLogoutRedirectUri scopes knownAuthorities cacheLocation \
        navigateToLoginRequestUrl issuer issuer-uri ID Version IssueInstant Destination InResponseTo Value Format Recipient \
        NotBefore NotOnOrAfter SessionIndex AssertionConsumerServiceURL ProtocolBinding Name NameFormat Method Algorithm \
        AuthnInstant URI ForceAuthn IsPassive encoding version entityID \
        android:scheme android:host android:path android:pathPrefix android:name android:exported android:mimeType \
        android:launchMode xmlns:android xmlns:samlp xmlns:saml xmlns:saml2 xmlns:saml2p xmlns
        """)

    /// Members of a log's lines, and of errors in it.
    private static let fields = set(
        """
        msg message Message err error_message level lvl time ts timestamp event logger description Description Detail detail \
        details reason Reason exception MSALErrorDescriptionKey MSALOAuthErrorKey MSALOAuthSubErrorKey NSLocalizedDescription \
        MSALInternalErrorCodeKey MSALCorrelationIDKey MSALHTTPResponseCodeKey MSALSTSErrorCodesKey NSUnderlyingError \
        errormsg errorMessage ErrorMessage ErrorCode ErrorLocation stack stacktrace errorCode errorSummary failure thread_id threadId logLevel correlationId Status status Tag
        """)

    // MARK: Markup

    static let namespaces = set("android app tools saml saml2 samlp saml2p ds md xs xsi xmlns")

    /// The elements whose names, attributes and texts are kept or replaced one by one.
    static func hasElement(_ name: String) -> Bool {
        elements.contains(name.split(separator: ":").last.map(String.init) ?? name)
    }

    private static let elements = set(
        """
        plist dict array key string true false integer real date data \
        manifest application activity activity-alias intent-filter action category data queries package intent uses-permission \
        meta-data uses-sdk provider service receiver \
        Response Assertion Issuer Status StatusCode StatusMessage StatusDetail Subject NameID SubjectConfirmation \
        SubjectConfirmationData Conditions AudienceRestriction Audience AuthnStatement AuthnContext AuthnContextClassRef \
        AttributeStatement Attribute AttributeValue AuthnRequest NameIDPolicy RequestedAuthnContext LogoutRequest \
        LogoutResponse Signature SignedInfo EntityDescriptor
        """)

    /// The keys of property lists that say something about signing in.
    static func hasKey(_ key: String) -> Bool { keys.contains(key) }

    private static let keys = set(
        """
        CFBundleIdentifier CFBundleDisplayName CFBundleName CFBundleShortVersionString CFBundleVersion CFBundleURLTypes \
        CFBundleURLSchemes CFBundleURLName CFBundleTypeRole CFBundleExecutable CFBundlePackageType \
        CFBundleDevelopmentRegion CFBundleInfoDictionaryVersion CFBundleSupportedPlatforms LSApplicationQueriesSchemes \
        LSRequiresIPhoneOS LSMinimumSystemVersion MinimumOSVersion UIDeviceFamily UIApplicationSceneManifest \
        NSAppTransportSecurity NSAllowsArbitraryLoads NSFaceIDUsageDescription keychain-access-groups \
        com.apple.security.application-groups com.apple.security.network.client com.apple.security.app-sandbox \
        application-identifier com.apple.application-identifier com.apple.developer.team-identifier get-task-allow \
        com.apple.developer.associated-domains com.apple.security.keychain-access-groups IntuneMAMSettings ADALClientId \
        ADALAuthority ADALRedirectUri AutoEnrollOnLaunch
        """)

    /// Values of settings that a vendor has chosen.
    static func hasValue(_ word: String) -> Bool { values.contains(word) && word.contains(where: \.isLetter) }

    static let values = set(
        """
        msauth msauthv2 msauthv3 msal auth Editor Viewer None APPL en $(DEVELOPMENT_LANGUAGE) $(EXECUTABLE_NAME) \
        $(PRODUCT_NAME) $(PRODUCT_BUNDLE_IDENTIFIER) ${PRODUCT_BUNDLE_IDENTIFIER} $(PRODUCT_BUNDLE_PACKAGE_TYPE) \
        $(MARKETING_VERSION) $(CURRENT_PROJECT_VERSION) 1.0 1 6.0 iPhoneOS MacOSX iPhoneSimulator \
        com.microsoft.adalcache com.microsoft.identity.universalstorage \
        SINGLE MULTIPLE DEFAULT BROWSER WEBVIEW AAD B2C CIAM AzureADMyOrg AzureADMultipleOrgs \
        AzureADandPersonalMicrosoftAccount PersonalMicrosoftAccount common organizations consumers * true false \
        authorization_code refresh_token code token id_token none client_secret_post client_secret_basic private_key_jwt \
        client.authentication.k8s.io/v1 client.authentication.k8s.io/v1beta1 client.authentication.k8s.io/v1alpha1 v1 Config \
        aws kubelogin kubectl gcloud gke-gcloud-auth-plugin az aws-iam-authenticator kubectl-oidc_login get-token --login \
        devicecode interactive spn msi azurecli workloadidentity ropc oidc-login eks token IfAvailable Never Always \
        localStorage sessionStorage 2.0 1.1 utf-8 UTF-8 \
        android.intent.action.VIEW android.intent.action.MAIN android.intent.category.DEFAULT \
        android.intent.category.BROWSABLE android.intent.category.LAUNCHER com.microsoft.identity.client.BrowserTabActivity \
        net.openid.appauth.RedirectUriReceiverActivity \
        urn:oasis:names:tc:SAML:2.0:assertion urn:oasis:names:tc:SAML:2.0:protocol urn:oasis:names:tc:SAML:2.0:metadata \
        urn:oasis:names:tc:SAML:2.0:status:Success urn:oasis:names:tc:SAML:2.0:status:Requester \
        urn:oasis:names:tc:SAML:2.0:status:Responder urn:oasis:names:tc:SAML:2.0:status:AuthnFailed \
        urn:oasis:names:tc:SAML:2.0:status:NoPassive urn:oasis:names:tc:SAML:2.0:status:NoAuthnContext \
        urn:oasis:names:tc:SAML:2.0:status:InvalidNameIDPolicy urn:oasis:names:tc:SAML:2.0:status:RequestDenied \
        urn:oasis:names:tc:SAML:2.0:status:VersionMismatch \
        urn:oasis:names:tc:SAML:2.0:nameid-format:persistent urn:oasis:names:tc:SAML:2.0:nameid-format:transient \
        urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified \
        urn:oasis:names:tc:SAML:2.0:cm:bearer urn:oasis:names:tc:SAML:2.0:ac:classes:Password \
        urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST \
        urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect
        """)

    // MARK: URLs

    /// The hosts and the parts of paths that the causes name, which are the same for everybody.
    static let hosts = MicrosoftHosts.signIn.union(
        set(
            """
            sts.windows.net graph.microsoft.com graph.windows.net management.azure.com login.live.com \
            enterpriseregistration.windows.net device.login.microsoftonline.com aka.ms microsoft.com www.microsoft.com \
            learn.microsoft.com accounts.google.com oauth2.googleapis.com www.googleapis.com github.com api.github.com \
            ghcr.io 0.0.0.0 outlook.office365.com smtp.office365.com token.actions.githubusercontent.com appleid.apple.com www.apple.com www.w3.org schemas.android.com \
            docs.oasis-open.org openid.net
            """
        ).union(named.compactMap(host)))

    /// The domains in which a provider gives each customer a host.
    static let families =
        MicrosoftHosts.customerDomains + [
            ".amazoncognito.com", ".okta.com", ".oktapreview.com", ".auth0.com", ".onmicrosoft.com",
            ".azurewebsites.net",
            ".googleusercontent.com", ".github.io", ".gitlab.io",
        ]

    static let segments = Set(named.flatMap { $0.split(separator: "/").map { $0.lowercased() } })

    /// The words with a slash in the texts that ``LogFile`` looks for.
    private static let named = KnownCause.bundled.flatMap(\.marks).compactMap { mark -> [String]? in
        guard case .text(let text) = mark else { return nil }
        return text.split { $0.isWhitespace || "\"'()<>".contains($0) }.map(String.init).filter { $0.contains("/") }
    }.flatMap(\.self)

    private static func host(_ text: String) -> String? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let rest = text[mark.upperBound...]
        let host = rest.prefix { $0 != "/" }
        return host.contains(".") && host.endIndex < rest.endIndex ? host.lowercased() : nil
    }

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(separator: " ").map(String.init))
    }
}
