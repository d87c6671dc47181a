// How long the token cache takes, with the engine and the store that the program has.
//
// usage: CacheBench hit ACCOUNTS      microseconds of a silent call: one account again and again, another each time
//        CacheBench save ACCOUNTS     microseconds of saving one sign-in
//        CacheBench fill ACCOUNTS DB  makes the one account of a store with a key file so many

import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard let word = arguments.first, let count = arguments.dropFirst().first.flatMap(Int.init), count > 0 else {
    fatalError("usage: CacheBench hit|save|fill ACCOUNTS [DB]")  // A tool of this repository, at its one entrance.
}

switch word {
case "hit":
    let crowd = try await Crowd(count)
    print(try await Stopwatch.microseconds { _ in try await crowd.token(of: 0) })
    print(try await Stopwatch.microseconds { try await crowd.token(of: $0) })
case "save":
    let crowd = try await Crowd(count)
    print(try await Stopwatch.microseconds(rounds: 50, calls: 4) { try crowd.saveOneMore($0) })
default:
    let file = URL(filePath: arguments.dropFirst(2).first ?? "cache.db")
    try Crowd.multiply(Crowd.store(file), to: count)
}
