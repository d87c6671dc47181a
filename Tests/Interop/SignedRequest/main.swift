// Prints a signed HTTP request of a new key, for another implementation to verify (Tests/Interop/test_signed_request.py).
// usage: SignedRequest TOKEN METHOD URL NONCE SECONDS

import Foundation
import KeyturnCrypto
import OAuthCore

let words = CommandLine.arguments
guard words.count == 6, let url = URL(string: words[3]), let seconds = Double(words[5]) else {
    FileHandle.standardError.write(Data("usage: SignedRequest TOKEN METHOD URL NONCE SECONDS\n".utf8))
    exit(2)
}
let request = SignedHTTPRequest(
    accessToken: Secret(words[1]), method: words[2], url: url, nonce: words[4],
    issuedAt: Date(timeIntervalSince1970: seconds))
let key = try PrivateKey.generate(.rsa(bits: 2048))
print(try request.signed(with: key).reveal())
print(TokenConfirmation(keyID: key.publicKey.thumbprint).parameter)
