import Foundation
import Testing

@testable import MSAL

@Suite("Live dependencies")
struct LiveDependenciesTests {
    static let rows: [(configured: String?, environment: [String: String], used: String?)] = [
        (nil, [:], nil),
        (nil, ["SSL_CERT_FILE": "/e.pem"], "/e.pem"),
        (nil, ["SSL_CERT_FILE": ""], nil),
        ("/c.pem", ["SSL_CERT_FILE": "/e.pem"], "/c.pem"),
        ("/c.pem", [:], "/c.pem"),
    ]

    @Test("Trust the configured CA file, else the one that SSL_CERT_FILE names", arguments: rows)
    func certificates(configured: String?, environment: [String: String], used: String?) throws {
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        configuration.certificateAuthorityFile = configured
        let dependencies = Dependencies.live(for: configuration, environment: environment)
        let transport = try #require(dependencies.transport as? CurlTransport)
        #expect(transport.certificateAuthorityFile == used)
    }

    @Test("SSL_CERT_DIR counts unless a CA file is configured")
    func folders() {
        let environment = ["SSL_CERT_DIR": "/a:/b", "SSL_CERT_FILE": "/e.pem"]
        let transport = CurlTransport(named: nil, environment: environment)
        #expect(transport.certificateAuthorityFolders == "/a:/b" && transport.certificateAuthorityFile == "/e.pem")
        #expect(CurlTransport(named: "/c.pem", environment: environment).certificateAuthorityFolders == nil)
        #expect(CurlTransport(named: nil, environment: ["SSL_CERT_DIR": ""]).certificateAuthorityFolders == nil)
    }
}
