// Tests a token store under faults: kills at random moments, many processes, a full disk.
//
// usage: torture [--small | --times N | --lying-disk N] [FAULT]...     names as in the output (default: all)
import Foundation
import Glibc
import MSAL

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "worker" {
    do {
        try Worker.run(Array(arguments.dropFirst()))
    } catch let failure as CredentialStoreFailure {
        print("\(failure.kind): \(failure.reason) \(failure.nextStep)")
        exit(1)
    }
    exit(0)
}

var scale = Scale()
var named = arguments
switch arguments.first {
case "--small":
    scale = .small
    named.removeFirst()
case "--times":
    scale = arguments.dropFirst().first.flatMap(Int.init).map(Scale.init(times:)) ?? scale
    named.removeFirst(2)
case "--lying-disk":
    scale = arguments.dropFirst().first.flatMap(Int.init).map(Scale.init(times:)) ?? scale
    scale.liesAboutSyncs = true
    named.removeFirst(2)
default: break
}
var isWhole = true
for fault in Fault.allCases where named.isEmpty || named.contains(fault.rawValue) {
    let tally = try fault.run(scale)
    print("\(fault.rawValue): \(tally.tried) tried, \(tally.lost) lost, \(tally.hung) hung")
    // All streams: each line appears at once, also in a pipe.
    fflush(nil)
    if tally.lost + tally.hung > 0 { isWhole = false }
}
exit(isWhole ? 0 : 1)
