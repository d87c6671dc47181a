import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

@Suite("Files with a secret") struct SecretFileTests {
    @Test(
        "The first line is the secret, if only the owner can read the file",
        arguments: [
            ("GOCSPX-a\nsecond\n", 0o600, "GOCSPX-a"), ("GOCSPX-a\r\n", 0o400, "GOCSPX-a"), ("", 0o600, ""),
            ("GOCSPX-a", 0o644, nil), ("GOCSPX-a", 0o660, nil), (String(repeating: "x", count: 5000), 0o600, nil),
        ] as [(String, mode_t, String?)])
    func line(content: String, mode: mode_t, secret: String?) throws {
        let folder = try TemporaryFolder()
        try folder.place("secret", Data(content.utf8))
        let path = folder.file("secret").path
        try #require(chmod(path, mode) == 0)
        let read = Result { try SecretFile.firstLine(of: path, named: "client secret file").reveal() }
        #expect((try? read.get()) == secret)
    }
}
