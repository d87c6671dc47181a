// Measures parts of the program with its own engine and store.
//
// usage: Bench hit ACCOUNTS          microseconds of a silent call for one account repeatedly, and for a different one each
//                                    time; the resident megabytes; microseconds of the first list of the
//                                    accounts, and of further ones
//        Bench save ACCOUNTS         microseconds of saving one sign-in
//        Bench fill ACCOUNTS DB      multiplies the only account of a store with a key file
//        Bench engine                sign-ins, then refreshes, per second: engine and authority in memory
//        Bench key ACCOUNTS          microseconds of a key press in the list of accounts
//        Bench count hit|save|key    runs one of them under callgrind; prints the number of calls
//        Bench count TEXT LENGTH     the same for the explanation of a text of ``Evidence``
//        Bench texts                 lists these texts

import Foundation

let arguments = CommandLine.arguments.dropFirst()

func usage() -> Never { fatalError("see the usage in Benchmarks/Bench/main.swift") }  // A development tool.

func number(_ index: Int) -> Int {
    guard let number = arguments.dropFirst(index).first.flatMap({ Int($0) }), number > 0 else { usage() }
    return number
}

switch arguments.first {
case "hit":
    let crowd = try await Crowd(number(1), inAnotherProcess: true)
    for other in 0..<crowd.count { try await crowd.token(of: other) }
    print(try await Stopwatch.microseconds { _ in try await crowd.token(of: 0) })
    print(try await Stopwatch.microseconds { try await crowd.token(of: $0) })
    print(Double(Resident.bytes) / 1e6)
    print(crowd.listing / .microseconds(1))
    print(try await Stopwatch.microseconds(rounds: 2, calls: max(1, 1000 / crowd.count)) { _ in try crowd.list() })
case "save":
    let crowd = try await Crowd(number(1))
    print(try await Stopwatch.microseconds(rounds: 50, calls: 4) { try crowd.saveOneMore($0) })
case "fill":
    let file = URL(filePath: arguments.dropFirst(2).first ?? "cache.db")
    try Crowd.multiply(Crowd.store(file), to: number(1))
case "engine":
    let engine = try EngineInMemory()
    print(1e6 / (try await Stopwatch.microseconds(rounds: 20, calls: 5) { _ in try await engine.signIn() }))
    print(1e6 / (try await Stopwatch.microseconds(rounds: 20, calls: 10) { _ in try await engine.refresh() }))
case "key":
    var list = AccountList(number(1))
    print(await Stopwatch.microseconds(rounds: 100, calls: 10) { _ in list.press() })
case "count":
    switch arguments.dropFirst().first {
    case "hit":
        let crowd = try await Crowd(10)
        try await HotPath(calls: 1000).count { try await crowd.token(of: $0) }
    case "save":
        let crowd = try await Crowd(100)
        try await HotPath(calls: 50).count { try crowd.saveOneMore($0) }
    case "key":
        var list = AccountList(10_000)
        await HotPath(calls: 50).count { _ in list.press() }
    case let name?:
        guard let evidence = Evidence(rawValue: name) else { usage() }
        let (bytes, explainer) = (Array(evidence.text(number(2)).utf8), try Evidence.explainer())
        await HotPath(calls: 1).count { _ in evidence.explain(bytes, by: explainer) }
    case nil: usage()
    }
case "texts": for evidence in Evidence.allCases { print(evidence.rawValue) }
default: usage()
}
