import CMicroHTTPD
import Glibc
import KeyturnCrypto

/// A server's certificate and key as C strings, which must exist as long as the server.
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
            // Erase the key before the memory is reused.
            explicit_bzero(key, strlen(key))
            free(key)
        }
        free(UnsafeMutablePointer<CChar>(bitPattern: certificate))
        UnsafeMutablePointer<keyturn_http_identity>(bitPattern: text)?.deallocate()
    }
}
