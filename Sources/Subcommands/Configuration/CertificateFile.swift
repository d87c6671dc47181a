import Foundation
import KeyturnSystem

/// A PEM file of trusted certificates.
enum CertificateFile {
    /// The first certificate is near the start, after comments.
    private static let searchedBytes = 1 << 20

    /// Why the file is unusable; `nil` if it contains a PEM certificate.
    static func problem(_ path: String) -> String? {
        let data: Data
        do throws(PlainFile.Failure) {
            data = Data(try PlainFile.read(path, atMost: searchedBytes))
        } catch {
            return "is unreadable: \(error.reason)"
        }
        let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]
        let holdsOne = marks.contains { data.range(of: Data($0.utf8)) != nil }
        return holdsOne ? nil : "contains no certificate"
    }
}
