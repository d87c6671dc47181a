/// Where `state`, `nonce` and the PKCE verifier come from.
package protocol RandomBytes: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}
