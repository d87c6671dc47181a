import Console
import DemoAuthority
import Diagnosis
import Foundation
import Glibc
import KeyturnSystem
import MSAL

extension ProgramServices {
    /// The services of the terminal program on this machine.
    /// - Parameter demo: opens scenarios; its open profile replaces the configuration's.
    init(_ settings: Settings, _ profiles: FileProfileBook, _ demo: DemoSession, in surroundings: Surroundings) {
        self.init()
        let examination: @Sendable (ProgramProfile?) async -> SetupExamination = {
            await SetupExamination(of: $0, settings, in: profiles, demo)
        }
        let choices = SavedChoicesFile(in: surroundings.environment)
        openURL = surroundings.browser
        openScenario = { name, steps in
            let scenario = if let name { await demo.scenario(named: name) } else { Scenario?.none }
            let opened = try await demo.open(scenario ?? .plainSignIn).opened(withWalk: scenario != nil)
            try await scenario?.replay(steps, in: opened, now: surroundings.now)
            return opened
        }
        let expanded: @Sendable (String) -> String = { path in
            path == "~" || path.hasPrefix("~/") ? (surroundings.environment["HOME"] ?? "~") + path.dropFirst() : path
        }
        listFolder = { folder in
            do throws(PlainFile.Failure) {
                return try PlainFile.names(in: expanded(folder)).map { FolderEntry($0.name, isFolder: $0.isFolder) }
            } catch {
                throw Failure(
                    .failed, name: "unreadable",
                    "Can't list \(folder.isEmpty ? "the current folder" : folder): \(error.reason).",
                    nextStep: "")
            }
        }
        edit = { path, line, lend in
            try await Editor(in: surroundings.environment).edit(path, at: line, lend)
        }
        write = { text, path, replaces in
            do { try ExportedFile(path: expanded(path), replaces: replaces).write(Data(text.utf8)) } catch {
                throw Failure(error, at: surroundings.now())
            }
        }
        save = SavedFiles(in: surroundings.environment).write(_:named:)
        check = { await examination($0).report(in: surroundings) }
        report = { await examination($0).supportReport(in: surroundings).text }
        urlHandler = {
            let examination = await examination($0)
            return await examination.handler(of: examination.given, in: surroundings)
        }
        let explainer: @Sendable (ProgramProfile?) throws -> Explainer = { profile in
            try Explainer(
                clientID: profile?.clientID ?? "", infoPlist: Array(EmbeddedResource.infoPlist), hasInfoPlist: false,
                now: surroundings.now())
        }
        let file: @Sendable (String) -> String? = { text in
            let typed = TypedFileName(text)
            let path = expanded(typed.path)
            return typed.isMarked || access(path, F_OK) == 0 ? path : nil
        }
        let input: @Sendable (String) throws -> EvidenceInput = { text in
            do { return try EvidenceInput(file(text) ?? expanded(text)) } catch {
                throw Failure(changing: error, at: surroundings.now())
            }
        }
        let authorities: @Sendable (ProgramProfile?) -> String? = { profile in
            profiles.profile(of: profile)?.certificateAuthorityFile ?? settings.certificateAuthorityFile
        }
        explain = { text, profile, isOffline in
            let evidence = try input(text)
            do {
                var explanation = try evidence.examined(by: explainer(profile), copies: false, settings).explanation
                if explanation.kind == .token, !isOffline {
                    explanation = await TokenVerification(
                        token: evidence.token, certificateAuthorityFile: authorities(profile)
                    ).complete(explanation)
                }
                return Explained(
                    name: evidence.isFile ? text.fileName : nil, explanation: explanation)
            } catch {
                throw Failure(changing: error, at: surroundings.now())
            }
        }
        compare = { text, other in
            do {
                let first = try input(text)
                guard let other else {
                    return try await HealthySignIn(in: surroundings).beside(first.bytes, explainer(nil))
                }
                return try first.compared(with: input(other), by: explainer(nil))
            } catch {
                throw Failure(changing: error, at: surroundings.now())
            }
        }
        verify = {
            await TokenVerification(token: $0, certificateAuthorityFile: authorities($1)).verdicts()
        }
        let redaction: @Sendable (EvidenceInput, [String], ProgramProfile?) throws -> Redaction = {
            evidence, hidden, profile in
            do {
                let copy = try evidence.examined(by: explainer(profile), copies: true, settings, hiding: hidden).copy
                return copy ?? Redaction(lines: [])
            } catch {
                throw Failure(changing: error, at: surroundings.now())
            }
        }
        redact = { text, hidden, profile in try redaction(try input(text), hidden, profile) }
        review = { text, hidden, profile in
            let evidence = try input(text)
            return ReviewedCopy(
                name: evidence.isFile ? text.fileName : nil, copy: try redaction(evidence, hidden, profile),
                CopyReview(of: evidence.bytes, hiding: hidden))
        }
        keepSource = { text, path in
            guard let source = file(text), PlainFile.isSame(source, expanded(path)) else { return }
            throw Failure(
                .failed, name: "source", "\(path) is the explained file itself.",
                nextStep: "Use another name for the copy.")
        }
        writeCase = { text, hidden, profile, path, replaces in
            let evidence = try input(text)
            let copy = try redaction(evidence, hidden, profile)
            do { try CaseOutput(path: expanded(path), replaces: replaces).write(copy, of: evidence) } catch {
                throw Failure(error, at: surroundings.now())
            }
            return copy.changes
        }
        doors = { door in
            if let door { await DoorFile.shut(door, in: surroundings.environment) }
            return DoorFile.all(in: surroundings.environment)
        }
        call = RecordedCall(environment: surroundings.environment).perform
        saveChoices = { try choices.save($0, of: $1) }
        saveDefaultAccount = { account, profile in try choices.change(profile) { $0.account = account } }
        saveDisplay = { try choices.save($0) }
    }
}

extension SetupExamination {
    /// The examination of the profile on the screen: the configuration's or the demo's.
    init(
        of shown: ProgramProfile?, _ settings: Settings, in profiles: FileProfileBook, _ demo: DemoSession
    ) async {
        let isDemo = shown?.isDemo == true
        self.init(
            settings: settings, given: isDemo ? await demo.profile : profiles.profile(of: shown), isDemo: isDemo)
    }
}

extension MachineFacts {
    /// The facts about this machine.
    static func live(_ environment: [String: String]) -> MachineFacts {
        // Podman and Docker create one of these.
        let marks: [String] = ["/run/.containerenv", "/.dockerenv"]
        let isContainer = marks.contains { access($0, F_OK) == 0 }
        return MachineFacts(
            environment: environment, kernelRelease: kernelRelease, isContainer: isContainer)
    }

    /// The kernel's release; empty if unknown.
    static var kernelRelease: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        return withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
