import OAuthCore
import Testing

@testable import MSAL

/// Brings together what two programs made of one unified cache.
@Suite("Merging of unified caches")
struct UnifiedMergeTests {
    private struct Merge: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var old: String
        var new: String
        var here: String
        /// `nil` if nothing changes.
        var result: String?
    }

    private static let merges = [
        Merge(
            testDescription: "an added entry that was overwritten comes back",
            old: #"{"Account":{"a":{"n":1}}}"#, new: #"{"Account":{"a":{"n":1},"b":{"n":2}}}"#,
            here: #"{"Account":{"a":{"n":1},"c":{"n":3}}}"#,
            result: #"{"Account":{"a":{"n":1},"b":{"n":2},"c":{"n":3}}}"#),
        Merge(
            testDescription: "a changed entry that was overwritten with the old one comes back",
            old: #"{"RefreshToken":{"a":{"secret":"old"}}}"#, new: #"{"RefreshToken":{"a":{"secret":"new"}}}"#,
            here: #"{"RefreshToken":{"a": {"secret" : "old"}},"Account":{}}"#,
            result: #"{"RefreshToken":{"a":{"secret":"new"}},"Account":{}}"#),
        Merge(
            testDescription: "an entry that is newer than both stays",
            old: #"{"RefreshToken":{"a":{"secret":"old"}}}"#, new: #"{"RefreshToken":{"a":{"secret":"new"}}}"#,
            here: #"{"RefreshToken":{"a":{"secret":"newer"}}}"#, result: nil),
        Merge(
            testDescription: "a removed entry that came back is removed again",
            old: #"{"Account":{"a":{},"b":{}}}"#, new: #"{"Account":{"b":{}}}"#,
            here: #"{"Account":{"a":{},"b":{}}}"#, result: #"{"Account":{"b":{}}}"#),
        Merge(
            testDescription: "an entry that was changed here and removed there stays removed",
            old: #"{"Account":{"a":{"n":1}}}"#, new: #"{"Account":{"a":{"n":2}}}"#, here: #"{"Account":{}}"#,
            result: nil),
        Merge(
            testDescription: "other root members are merged as a whole",
            old: #"{"x":1,"y":[1]}"#, new: #"{"x":2,"z":3}"#, here: #"{"x":1,"y":[1]}"#,
            result: #"{"x":2,"z":3}"#),
        Merge(
            testDescription: "another format is no change",
            old: #"{"Account":{"a":{"m":1,"n":[2,3]}}}"#, new: #"{"Account":{"a":{"n": [2, 3], "m": 1}}}"#,
            here: #"{"Account":{"a":{"m":1,"n":[2,3]}}}"#, result: nil),
    ]

    @Test("Merges by entry", arguments: merges)
    private func merge(_ merge: Merge) throws {
        func document(_ text: String) throws -> UnifiedDocument { try UnifiedDocument(parsing: Array(text.utf8)) }
        var here = try document(merge.here)
        let isChanged = here.merge(try document(merge.new), since: try document(merge.old))
        #expect(isChanged == (merge.result != nil))
        let result = try JSONValue(parsing: merge.result ?? merge.here)
        #expect(try JSONValue(parsing: here.bytes) == result)
        // A member that is there twice would be read as one.
        #expect(here.bytes.filter { $0 > UInt8(ascii: " ") }.count == result.serialized.utf8.count)
    }
}
