import Foundation

/// A PEM file of trusted certificates.
package enum CertificateFile {
    /// The first certificate is near the start, after comments.
    private static let searchedBytes = 1 << 20

    /// Why the file is unusable; `nil` if it contains a PEM certificate.
    package static func problem(_ path: String) -> String? {
        let data: Data
        do { data = Data(try PlainFile.read(path, atMost: searchedBytes)) } catch {
            return "is unreadable: \(error.reason)"
        }
        let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]
        if marks.contains(where: { data.range(of: Data($0.utf8)) != nil }) { return nil }
        // A SEQUENCE with a length of two bytes (ITU-T X.690 §8.1), as each certificate is.
        return data.starts(with: [0x30, 0x82])
            ? "is in DER form, not PEM (convert it with openssl x509 -in FILE -out FILE.pem)"
            : "contains no certificate"
    }
}
