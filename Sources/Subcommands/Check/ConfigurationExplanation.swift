import Console
import Diagnosis
import MSAL

/// Explains a configuration file with the checks of `keyturn check` that need no requests.
struct ConfigurationExplanation {
    let explanation: Explanation

    /// `nil` if the bytes aren't a configuration. A file with mistakes is one.
    init?(_ bytes: [UInt8], file: String, _ settings: Settings) {
        guard bytes.count < ConfigurationFile.mostBytes, let text = String(validating: bytes, as: UTF8.self),
            text.first(where: { !$0.isWhitespace }) == "{", text.contains("\"profiles\""), !text.contains("\"entries\"")
        else { return nil }
        var (summary, findings) = ("A Keyturn configuration", [CheckFinding]())
        do {
            let profiles = try ConfigurationReader.read(text, file: file).profiles
            summary += " with \(Moment.count(profiles.count, "profile"))."
            for profile in profiles {
                findings += ConfigurationFindings(path: file, .profile(name: profile.name)).all
                findings += [CheckFinding.endpointAsAuthority(profile.authority)].compactMap { $0 }
                findings += SetupExamination(settings: settings).application(profile)
            }
        } catch {
            summary += " with errors."
            findings = ConfigurationFindings(path: file, .mistakes(error.mistakes)).all
        }
        explanation = Explanation(.configuration, summary, findings: findings)
    }
}

extension EvidenceInput {
    /// The explanation and, if wanted, a copy without secrets, names and addresses.
    func examined(
        by explainer: Explainer, copies: Bool, _ settings: Settings, hiding texts: [String] = []
    ) throws(Failure) -> (explanation: Explanation, copy: Redaction?) {
        guard let configuration = ConfigurationExplanation(bytes, file: name, settings) else {
            do { return try explainer.examine(file: bytes, copies: copies, hiding: texts) } catch {
                throw failure(error)
            }
        }
        return (configuration.explanation, copies ? Redaction(lines: bytes, hiding: texts) : nil)
    }
}
