import MSAL
import Testing
import XCTest

/// The entry of the test program. A file of this name spares SwiftPM the search for XCTest classes, and so the index.
@main
struct TestProgram {
    // `swift test` runs the program once for each library; the tests of all targets are Swift Testing's.
    static func main() async {
        // Servers in this process wait for the tests that occupy all threads.
        MSALGlobalConfig.httpConfig.timeoutIntervalForRequest = 300
        if CommandLine.arguments.contains("swift-testing") {
            await Testing.__swiftPMEntryPoint() as Never
        }
        XCTMain([])
    }
}
