import Foundation

enum TextKind {
    /// Source code or documentation has the names and sentences of failures that nobody had.
    /// A short text, a mail, or one with lines of a log can be the evidence of a failure.
    static func isDocument(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(mostBytes)
        guard start.first(where: { $0 > 0x20 }).map({ "{[<".utf8.contains($0) }) == false,
            start.count(where: { $0 == UInt8(ascii: "\n") }) >= fewestLines
        else { return false }
        let lines = String(decoding: start, as: UTF8.self).split(whereSeparator: \.isNewline).prefix(mostLines)
            .map { $0.prefix(longestLine).trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard lines.count >= fewestLines, !lines.prefix(20).contains(where: isOfMail),
            // An error as a page shows it.
            !lines.contains(where: { $0.hasPrefix("AADSTS") && $0.contains(": ") })
        else { return false }
        var (logged, coded, written, marked) = (0, 0, 0, 0)
        for line in lines {
            // A program's data, such as a policy.
            if line.prefixMatch(of: data.regex) != nil { continue }
            if line.prefixMatch(of: log.regex) != nil {
                logged += 1
            } else if line.prefixMatch(of: markdown.regex) != nil {
                (written, marked) = (written + 1, marked + 1)
            } else if TextLine.isCode(line) || line.prefixMatch(of: code.regex) != nil
                || "{};([".contains(line.last ?? " ")
            {
                coded += 1
            } else if isSentence(line) {
                written += 1
            }
        }
        guard logged * 15 <= lines.count else { return false }
        if lines.first?.prefixMatch(of: opening.regex) != nil { return coded * 3 > lines.count }
        guard lines.count >= (lines[0].hasPrefix("# ") && logged == 0 ? fewestLines : fewestMixed) else { return false }
        return coded * 2 > lines.count || marked * 8 > lines.count && (written + coded) * 2 > lines.count
    }

    private static let (mostBytes, mostLines, fewestLines, longestLine) = (64 << 10, 400, 12, 200)
    /// A shorter text that doesn't begin as a source file can be a message with a piece of one.
    private static let fewestMixed = 20
    private static let opening = Pattern(#/import |\/\/|#include|using |package |from \w+ import|"""|#!\//#)

    private static func isOfMail(_ line: String) -> Bool { ["From: ", "Subject: "].contains(where: line.hasPrefix) }

    /// A time, a level, an exception or a message of HTTP at the start.
    private static let log = Pattern(
        #/\W{0,3}(?:[0-9]{2,4}[-\/:.][0-9]{1,2}[-\/:.]|[A-Z][a-z]{2} [0-9]{1,2} [0-9]{2}:|[IWEF][0-9]{4} |t=|time=|[0-9]{1,3}(?:\.[0-9]{1,3}){3} )|\[?(?:ERROR|WARN|INFO|DEBUG|TRACE|FATAL|error|warn|info|debug|fatal)\b|TID=|at [\w.$\/<>]+[ (]|File "|\.\.\. [0-9]|Caused by|Traceback|Exception in|HTTP\/|[A-Z]{3,7} (?:https?:\/\/|\/)|[<>*] |\w+(?:\.\w+)+(?:Error|Exception)\b|\{".*\}$|(?:\w+: )?(?:Error|fatal|error): /#
    )
    private static let data = Pattern(#/"[^"]+": |[{}\[\]],?$/#)
    private static let markdown = Pattern(#/#{1,6} |[-*] |[0-9]+\. |\||!\[|```/#)
    private static let code = Pattern(
        #/(?:#[a-z]+\(|\/\/|\/\*|\*|@|"""|\)|\]|\}|self\b|await\b|for\b|while\b|guard\b|extension\b|struct\b|protocol\b|from\b|with\b|except\b|elif\b|print\b|assert|fileprivate\b|package\b|init\b|mutating\b|override\b|using\b|namespace\b|interface\b|type\b|async\b)|[\w.\[\]]+ (?:=|\+=|->|\?\?|&&|\|\|) |\.?[\w.]+\(.*[\),{\[]$|\(?["']/#
    )
    private static func isSentence(_ line: String) -> Bool {
        line.count(where: { $0 == " " }) > 4 && !line.contains { "=;{}".contains($0) }
    }
}
