import Glibc
import Testing

@testable import KeyturnSystem

@Suite("Trusted owners of files")
struct TrustedOwnersTests {
    private static let whole = "         0          0 4294967295\n"
    private static let one = "      1000       1000          1\n"

    @Test(
        "The overflow user counts as root only in a user namespace without that number, for files that the user can't write",
        arguments: [
            // bwrap, and unshare -Ur.
            (one, false, true), (one, true, false), ("0 1000 1\n", false, true),
            // Podman without root has a range that contains the number.
            ("0 1000 1\n1 100000 65536\n", false, false), (whole, false, false),
            // Nothing is known.
            ("", false, false), ("a b c\n", false, false),
        ])
    func overflow(map: String, mayWrite: Bool, isTrusted: Bool) {
        let owners = TrustedOwners(list: "", overflow: "65534\n", map: map)
        #expect(owners.contains(65_534, by: 1000) { mayWrite } == isTrusted)
        #expect(!owners.contains(1001, by: 1000) { mayWrite })
        #expect(owners.contains(1000, by: 1000) { true } && owners.contains(0, by: 1000) { true })
        #expect(!TrustedOwners(list: "", overflow: "", map: map).contains(65_534, by: 1000) { false })
    }

    @Test("The user can name owners to trust, by number or name; others are ignored")
    func named() {
        let owners = TrustedOwners(list: "1001, daemon,nobody-has-this-name", overflow: "65534", map: Self.whole)
        let daemon = getpwnam("daemon")?.pointee.pw_uid ?? 1
        for owner in [1001, daemon] { #expect(owners.contains(owner, by: 1000) { true }) }
        #expect(!owners.contains(1002, by: 1000) { false })
    }
}
