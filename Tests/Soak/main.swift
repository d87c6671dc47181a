// Repeated sign-ins with the whole library on a real network: does memory grow, is anything lost?
//
// usage: soak authority PORT ORIGIN               the built-in authority, which names ORIGIN as its URL
//        soak leaks SIGN_INS ORIGIN FOLDER        one process; prints its resources before and after
//        soak leaks SIGN_INS ORIGIN FOLDER BYTES  the same, leaking BYTES at each sign-in, and some files
//        soak shift SECONDS NUMBER ORIGIN FOLDER  one of several processes on the cache in FOLDER; prints its counts
import Foundation
import MSAL

let words = Array(CommandLine.arguments.dropFirst())
switch (words.first, words.count) {
case ("authority", 3):
    let server = try Authority.start(port: UInt16(words[1]) ?? 0, origin: try Authority.origin(words[2]))
    say("listening on \(server.port)")
    try await Task.sleep(for: .seconds(1_000_000))
    server.stop()
case ("leaks", 4), ("leaks", 5):
    let leaks = Leaks(
        client: try Client(origin: words[2], folder: words[3], user: 0),
        plantedBytes: words.dropFirst(4).first.flatMap { Int($0) })
    try await leaks.measure(signIns: Int(words[1]) ?? 0)
case ("shift", 5):
    let client = try Client(origin: words[3], folder: words[4], user: Int(words[2]) ?? 0)
    var shift = Shift(client: client, seconds: Double(words[1]) ?? 0)
    try await shift.work()
default:
    fatalError("usage: soak authority|leaks|shift ARGUMENT...")  // A development tool, at its entry point.
}
