import Console
import Foundation
import KeyturnSystem
import MSAL

package struct WatchCommand: Subcommand {
    private static let before = Option("before", argument: "TIME")
    private static let notify = Option("notify", argument: "COMMAND")

    package static let specification = CommandSpecification(name: "watch", options: [before, notify])

    @Boxed private var settings: Settings
    private let margin: TimeInterval
    private let command: String?

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        command = options[Self.notify]
        let text = options[Self.before] ?? "10m"
        guard let seconds = Self.seconds(text), (60...86_400).contains(seconds) else {
            throw .badArgument(Self.before, argument: text, wanted: "a time from 1m to 24h, for example 90s, 30m or 1h")
        }
        margin = TimeInterval(seconds)
    }

    private static func seconds(_ text: String) -> Int? {
        let number = UInt16(text.dropLast()).map(Int.init)
        return switch text.last {
        case "s": number
        case "m": number.map { $0 * 60 }
        case "h": number.map { $0 * 3_600 }
        case nil, .some: nil
        }
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let environment = surroundings.environment
        try CarriedTokens.rejectUse(by: Self.specification.name, settings, in: environment)
        let file = ConfigurationFile.locate(named: settings.config, in: environment)
        if try settings.allProfiles(in: environment).isEmpty, settings.watchedCaches(in: surroundings).accounts.isEmpty
        {
            throw file.missingError
        }
        let names = [file.path, settings.profileName, settings.clientID, settings.cacheFile].compactMap(\.self)
        let turn = SignInTurn(watching: names, environment: environment)
        do {
            return try await turn.run {
                let holder = turn.holder?.name ?? "Another keyturn process"
                throw Failure(
                    .failed, name: "watched", "\(holder) already watches these accounts.",
                    nextStep: "End it first, for example with 'systemctl --user stop keyturn-watch'.")
            } _: { _ in
                try await interruptible {
                    try await watcher(in: surroundings).run { tellStart($0, $1, in: surroundings) }
                }
                return .done
            }
        } catch let interrupted as Interrupted where interrupted.signal == SIGTERM {
            // A service manager ends it so.
            return .done
        }
    }

    private func tellStart(_ count: Int, _ next: Date?, in surroundings: Surroundings) {
        guard !settings.isQuiet else { return }
        let time = next.map { " Next check \(Moment.relative($0, to: surroundings.now()))." } ?? ""
        surroundings.tell("Watching \(Moment.count(count, "account")).\(time)\n")
    }

    private func watcher(in surroundings: Surroundings) -> Watcher {
        var quiet = settings
        quiet.isQuiet = true
        let user = UserNotice(command: command, environment: surroundings.environment)
        return Watcher(margin: margin, now: surroundings.now) { [quiet] in
            quiet.watchedCaches(in: surroundings)
        } tell: { [isQuiet = settings.isQuiet] notice in
            if !isQuiet || notice.event != .refreshed { surroundings.tell("\(notice.line)\n") }
            guard notice.isForUser, let reason = await user.send(notice) else { return }
            surroundings.tell("The command of --notify failed: \(reason).\n")
        }
    }
}
