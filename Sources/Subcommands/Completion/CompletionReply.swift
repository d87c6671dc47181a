import Console
import Foundation
import MSAL
import TerminalUI

/// The output for the shells' completion scripts: word, tab and description on a line, or `:files`.
struct CompletionReply {
    var request: CompletionRequest
    var environment: [String: String]
    var now: Date

    var text: String {
        switch request.reply {
        case .candidates(let candidates):
            return lines(candidates.map { ($0.word, $0.sentence) })
        case .source(.files, _):
            return ":files\n"
        case .source(let source, let prefix):
            return lines(words(of: source).map { (prefix + $0.word, $0.sentence) }, prefix: prefix)
        }
    }

    private func lines(_ candidates: [(word: String, sentence: String)], prefix: String = "") -> String {
        let beginning = prefix + request.beginning
        return candidates.filter { $0.word.hasPrefix(beginning) }
            .map { "\(Printable.sanitize($0.word))\t\(Printable.sanitize($0.sentence))\n" }
            .joined()
    }

    /// The candidates of a source. Ignores errors, as completion must stay silent.
    private func words(of source: CompletionSource) -> [(word: String, sentence: String)] {
        switch source {
        case .words(let words): words.map { ($0, "") }
        case .files, .nothing: []
        case .accounts: (try? accounts()) ?? []
        case .profiles: configuration?.profiles.map { ($0.name, $0.authority.absoluteString) } ?? []
        case .scopes: scopes.map { ($0, "") }
        case .scenarios: Scenario.all.map { ($0.name, $0.title) }
        }
    }

    private var settings: Settings? { try? Settings(request.given) }

    private var configuration: Configuration? {
        try? ConfigurationFile.locate(named: settings?.config, in: environment).read()
    }

    private var scopes: [String] {
        guard let profile = try? settings?.profile(in: environment) else { return [] }
        return profile.scopes
    }

    private func accounts() throws -> [(word: String, sentence: String)] {
        guard let application = try settings?.profile(in: environment).applicationToLookAt() else { return [] }
        let accounts = try application.allAccounts()
        let ended = try application.ended(accounts, by: now)
        return accounts.putting(last: ended).compactMap { account in
            let mark = ended.contains(account.identifier ?? "") ? " \(AccountSummary.endedMark)" : ""
            return (account.username ?? account.identifier).map { ($0, account.environment + mark) }
        }
    }
}
