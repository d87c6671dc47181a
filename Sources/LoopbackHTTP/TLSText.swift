import CMicroHTTPD
import Glibc
import KeyturnCrypto

/// A server's certificate and key as C strings, which have to live for as long as the server does.
final class TLSText: Sendable {
    private let certificate: UInt
    private let key: UInt
    private let text: UInt

    init(_ identity: ServerIdentity) {
        let certificate = strdup(identity.certificate)
        let key = strdup(identity.privateKey.pem)
        let text = UnsafeMutablePointer<keyturn_http_identity>.allocate(capacity: 1)
        text.initialize(to: keyturn_http_identity(certificate: certificate, key: key))
        self.certificate = UInt(bitPattern: certificate)
        self.key = UInt(bitPattern: key)
        self.text = UInt(bitPattern: text)
    }

    var pointer: UnsafePointer<keyturn_http_identity>? { UnsafePointer(bitPattern: text) }

    deinit {
        if let key = UnsafeMutablePointer<CChar>(bitPattern: key) {
            // The key does not stay in memory that somebody else gets.
            explicit_bzero(key, strlen(key))
            free(key)
        }
        free(UnsafeMutablePointer<CChar>(bitPattern: certificate))
        UnsafeMutablePointer<keyturn_http_identity>(bitPattern: text)?.deallocate()
    }
}
