import Console
import Foundation
import JSON
import MSAL
import TerminalUI

package struct StatusCommand: Subcommand {
    package static let specification = CommandSpecification(name: "status", options: [OutputFormat.option])

    @Boxed private var settings: Settings
    private let options: ParsedOptions

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        self.options = options
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let environment = surroundings.environment
        let now = surroundings.now()
        var rows: [StatusRow] = []
        let problems = settings.eachPlace(in: environment) { place in
            let application = place.application
            let tokens = try application.cachedTokens()
            let usual = DefaultAccount(of: application, profile: place.profile.name, in: environment).identifier
            for account in try application.allAccounts() where application.isOfAuthority(account) {
                rows.append(
                    StatusRow(
                        account: account, summary: AccountSummary(account, tokens: tokens), place: place,
                        authorities: try application.authorities(of: account), isDefault: account.identifier == usual))
            }
        }
        if rows.isEmpty, let problem = problems.last { throw problem }
        if rows.isEmpty, !settings.hasProfile(in: environment) {
            try CarriedTokens.rejectUse(by: Self.specification.name, settings, in: environment)
            throw ConfigurationFile.locate(named: settings.config, in: environment).missingError
        }
        rows = StatusRow.sorted(rows, by: now)
        let suggested = SuggestedCommand(options)
        switch OutputFormat(options) {
        case .json: try JSONValue.writeDocument(of: rows, to: surroundings.output.write) { $0.json(at: now) }
        case .table:
            let look = OutputLook(settings, in: surroundings)
            let zone = settings.programOptions(in: surroundings).timeZone
            let usual = try? settings.profile(in: environment).name
            try surroundings.output.write(
                StatusRow.text(of: rows, look, at: now, in: zone) { suggested.complete($0.signIn(usual)) })
            if rows.isEmpty { surroundings.tell(suggested.complete("No accounts. Run 'keyturn sign-in'.\n")) }
        }
        for problem in problems.dropLast() { surroundings.tell("\(problem.sentences)\n") }
        if let problem = problems.last { throw problem }
        return rows.isEmpty || rows.contains { $0.summary.needsSignIn(at: now) } ? .interactionRequired : .done
    }
}

struct StatusRow {
    var account: MSALAccount
    var summary: AccountSummary
    var place: AccountPlace
    var authorities: [URL]
    var isDefault: Bool

    /// Those that need a sign-in first, else in the order of the profiles, and by name.
    static func sorted(_ rows: [StatusRow], by now: Date) -> [StatusRow] {
        let places = rows.map(\.place.name)
        func key(_ row: StatusRow) -> (Int, Int, NaturalOrder) {
            (
                row.summary.needsSignIn(at: now) ? 0 : 1, places.firstIndex(of: row.place.name) ?? 0,
                NaturalOrder(row.summary.displayName)
            )
        }
        return rows.map { (key($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    func json(at now: Date) -> JSONValue {
        let resource = place.application.configuration.resource?.url.absoluteString
        return account.json(
            authorities: authorities, resource: resource, profile: resource == nil ? place.name : nil,
            isDefault: isDefault, summary: summary, at: now)
    }

    /// The command that signs the user in again, quoted. The profile that is used anyway isn't named.
    func signIn(_ usual: String?) -> String {
        let selected = place.name == usual || place.demand.settings.namesProfile(in: [:]) ? "" : " \(place.option)"
        let hint = summary.username.isEmpty ? "" : " --login-hint \(summary.username.quotedForShell)"
        return "'keyturn sign-in\(selected)\(hint)'"
    }

    static func text(
        of rows: [StatusRow], _ look: OutputLook, at now: Date, in zone: TimeZone, signIn: (StatusRow) -> String
    ) -> String {
        let marks = rows.map { look.theme == nil ? nil : $0.summary.state(at: now) }
        let cells = zip(rows, marks).map { row, mark in
            let name = row.summary.displayName + (row.isDefault ? " (default)" : "")
            let sign = mark.map { [$0.sign(.unicode)] } ?? []
            return sign + [name, row.place.name, row.sentence(at: now, in: zone, signIn)]
        }
        let lines = TextTable(rows: cells).lines(columns: look.columns).rows
        return zip(marks, lines).flatMap { mark, lines in
            guard let mark else { return lines }
            return lines.prefix(1).map { look.painted($0, mark.sign(.unicode), mark.style) } + lines.dropFirst()
        }.map { "\($0)\n" }.joined()
    }

    private func sentence(at now: Date, in zone: TimeZone, _ signIn: (StatusRow) -> String) -> String {
        guard let state = summary.state(at: now) else { return "" }
        if state == .signInRequired { return "\(state.word(by: now)): run \(signIn(self))" }
        let end = summary.signInExpiryWord(by: now)
        return state.sentence(by: now, in: zone)
            + (end.isEmpty ? "" : ", sign-in \(end == "ended" ? "" : "ends ")\(end)")
    }
}
