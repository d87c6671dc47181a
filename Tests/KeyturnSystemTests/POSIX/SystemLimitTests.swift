import Glibc
import KeyturnSystem
import Testing

@Suite("Limits of the process")
struct SystemLimitTests {
    @Test(
        "The error of a limit names the remedy",
        arguments: [(EMFILE, "ulimit -n"), (ENFILE, "other programs"), (ENOMEM, "ulimit -v")])
    func remedy(code: Int32, word: String) {
        #expect(systemReason(code).contains(word))
        #expect(systemReason(code).hasPrefix(String(cString: strerror(code))))
        #expect(!systemReason(code, hasRemedy: false).contains(word))
    }

    @Test("Another error is the system's text", arguments: [ENOENT, EACCES, EAGAIN])
    func other(code: Int32) {
        #expect(systemReason(code) == String(cString: strerror(code)))
    }

    @Test(
        "The loader's message tells a limit from a missing library",
        arguments: [
            ("libcurl.so.4: cannot open shared object file: Too many open files", .openFiles),
            ("libp11-kit.so.0: failed to map segment from shared object", .memory),
            ("libz.so.1: cannot allocate memory for program header: Cannot allocate memory", .memory),
            ("libcurl.so.4: cannot open shared object file: No such file or directory", nil),
            ("libcurl.so.4 lacks curl_easy_init", nil),
        ] as [(String, SystemLimit?)])
    func loader(message: String, limit: SystemLimit?) {
        #expect(SystemLimit(loaderMessage: message) == limit)
    }

    @Test(
        "The loader's message names the unusable library, and so Debian's package",
        arguments: [
            ("libssl.so.3: cannot open shared object file: No such file or directory", "libssl3"),
            ("libcrypto.so.3: cannot open shared object file: No such file or directory", "libssl3"),
            ("libssh2.so.1: cannot open shared object file: No such file or directory", "libssh2-1"),
            ("libgssapi_krb5.so.2: cannot open shared object file: No such file or directory", "libgssapi-krb5-2"),
            ("/opt/keyturn/lib/libcurl.so.4: file too short", "libcurl4"),
            ("libcurl.so.4 lacks curl_easy_init", nil),
            ("unset SSLKEYLOGFILE", nil),
            (": cannot open", nil),
        ] as [(String, String?)])
    func unusable(message: String, package: String?) {
        #expect(UnusableLibrary(loaderMessage: message)?.package == package)
    }

    @Test("A process with free descriptors has met no limit")
    func free() {
        #expect(SystemLimit.nearlyMet == nil)
    }
}
