import Foundation
import Fuzzing

/// The target named in the environment, since libFuzzer owns the arguments.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.named(name) else {
        FileHandle.standardError.write(
            Data("FUZZ_TARGET must be one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))\n".utf8))
        exit(2)
    }
    return target
}()

/// Called by libFuzzer for each input. A crash reports a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        _ = try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        FileHandle.standardError.write(Data("Property violated: \(error)\n".utf8))
        abort()
    }
    return 0
}
