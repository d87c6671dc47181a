import Foundation
import Glibc
import MSAL
import OAuthCore
import Testing

@Suite("curl transport, TLS", .enabled(if: TLSServer.isInstalled))
struct CurlTransportTLSTests {
    private func get(
        _ server: TLSServer, host: String = "localhost", trusting file: String?
    ) async throws -> HTTPResponse {
        let url = try #require(URL(string: "https://\(host):\(server.port)/"))
        return try await CurlTransport(certificateAuthorityFile: file).send(HTTPRequest(.get, url))
    }

    @Test("Trusts the authorities in its CA file")
    func trusted() async throws {
        let server = try await TLSServer.start()
        #expect(try await get(server, trusting: server.certificate).status == 200)
    }

    @Test("Transports with different CA files share no connection or session, also at once")
    func twoTrusts() async throws {
        let (server, foreign) = (try await TLSServer.start(), try await TLSServer.start())
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let trusting = CurlTransport(certificateAuthorityFile: server.certificate)
        let other = CurlTransport(certificateAuthorityFile: foreign.certificate)
        // Leaves a session that another request could resume.
        #expect(try await trusting.send(HTTPRequest(.get, url)).status == 200)
        let outcomes = await withTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                group.addTask {
                    do throws(TransportFailure) {
                        return
                            "\(try await (number.isMultiple(of: 2) ? trusting : other).send(HTTPRequest(.get, url)).status)"
                    } catch {
                        return "\(error.kind)"
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(
            outcomes.sorted() == Array(repeating: "200", count: 4) + Array(repeating: "untrustedCertificate", count: 4))
    }

    @Test("Over http to a server that speaks TLS, the failure says to use https")
    func plainRequest() async throws {
        let server = try await TLSServer.start()
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))
        let failure = await #expect(throws: TransportFailure.self) {
            try await CurlTransport().send(HTTPRequest(.get, url))
        }
        #expect(failure?.reason.hasSuffix(". If it speaks https, start its URL with https:// instead.") == true)
    }

    @Test("Rejects a certificate of an unknown authority")
    func untrusted() async throws {
        let server = try await TLSServer.start()
        let failure = await #expect(throws: TransportFailure.self) { try await get(server, trusting: nil) }
        #expect(failure?.kind == .untrustedCertificate)
        #expect(failure?.reason.isEmpty == false)
    }

    @Test("Rejects a certificate for another name")
    func otherName() async throws {
        let server = try await TLSServer.start()
        let failure = await #expect(throws: TransportFailure.self) {
            try await get(server, host: "127.0.0.1", trusting: server.certificate)
        }
        #expect(failure?.kind == .untrustedCertificate)
    }

    @Test("Does not speak TLS 1.1")
    func oldProtocol() async throws {
        let server = try await TLSServer.start(["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        let failure = await #expect(throws: TransportFailure.self) {
            try await get(server, trusting: server.certificate)
        }
        #expect(failure?.kind == .couldNotConnect)
    }

    /// In a separate process: libcurl reads the variable once, when it starts.
    @Test("Never writes its keys to a file, even with SSLKEYLOGFILE")
    func keyLog() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let file = folder.file("keys").path
            setenv("SSLKEYLOGFILE", file, 1)
            let server = try await TLSServer.start()
            let url = try #require(URL(string: "https://localhost:\(server.port)/"))
            let transport = CurlTransport(certificateAuthorityFile: server.certificate)
            #expect(try await transport.send(HTTPRequest(.get, url)).status == 200)
            let keys = FileManager.default.contents(atPath: file) ?? Data()
            #expect(keys.isEmpty)
        }
    }
}
