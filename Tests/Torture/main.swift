// What a token store has to survive, done to it: kills at random moments, many processes, a full disk.
//
// usage: torture [--small] [FAULT]...     each FAULT as it is named in the output; all of them when none is
import AuthEngine
import Foundation
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "worker" {
    do {
        try Worker.run(Array(arguments.dropFirst()))
    } catch let failure as CredentialStoreFailure {
        print("\(failure.kind): \(failure.reason)")
        exit(1)
    }
    exit(0)
}

let scale = arguments.contains("--small") ? Scale.small : Scale()
var isWhole = true
let named = arguments.filter { $0 != "--small" }
for fault in Fault.allCases where named.isEmpty || named.contains(fault.rawValue) {
    let tally = try fault.run(scale)
    print("\(fault.rawValue): \(tally.tried) tried, \(tally.lost) lost, \(tally.hung) hung")
    // All streams: each line is to be seen when it is there, also in a pipe.
    fflush(nil)
    if tally.lost + tally.hung > 0 { isWhole = false }
}
exit(isWhole ? 0 : 1)
