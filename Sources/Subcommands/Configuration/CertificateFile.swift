import Foundation
import POSIX

/// A file of certificates to trust instead of the system's.
enum CertificateFile {
    /// The first certificate of a bundle stands near its beginning, after comments at most.
    private static let searchedBytes = 1 << 20

    /// Why the file cannot be used; `nil` when it holds a certificate in PEM.
    static func problem(_ path: String) -> String? {
        let data: Data
        do throws(PlainFile.Failure) {
            data = Data(try PlainFile.read(path, atMost: searchedBytes))
        } catch {
            return "cannot be read: \(error.reason)"
        }
        let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]
        let holdsOne = marks.contains { data.range(of: Data($0.utf8)) != nil }
        return holdsOne ? nil : "holds no certificate"
    }
}
