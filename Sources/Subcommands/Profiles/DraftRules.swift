import Console
import Diagnosis
import Foundation
import MSAL
import OAuthCore

/// The validation of a profile draft, by the library's own classes. Opens and sends nothing.
struct DraftRules {
    let draft: ProfileDraft
    var folder = URL(fileURLWithPath: ".")
    /// The endpoints that the file has for the draft's authority.
    var endpoints = OAuthEndpoints()

    func judge() -> DraftJudgement {
        let findings: [ProfileDraft.Field: CheckFinding?] = [
            .authority: authority, .clientID: clientID, .redirectURI: redirectURI, .clientSecret: clientSecret,
            .scopes: scopes, .certificates: certificates, .name: name,
        ]
        return DraftJudgement(findings.compactMapValues(\.self))
    }

    private func unanswered(_ field: ProfileDraft.Field) -> CheckFinding {
        CheckFinding(field.title, .skipped, "Not entered yet.")
    }

    private var authority: CheckFinding {
        guard !draft.authority.isEmpty else { return unanswered(.authority) }
        do {
            return CheckFinding("Authority", .passed, Self.description(of: try profile().libraryAuthority()))
        } catch is AuthorityURL.Mistake where draft.kind == .entra && !draft.authority.contains(":") {
            return CheckFinding(
                "Authority", .failed, "\"\(draft.authority)\" is not a domain, tenant ID or URL.",
                fix: "Enter the whole domain, for example contoso.com.")
        } catch let mistake as AuthorityURL.Mistake {
            return CheckFinding("Authority", .failed, "\(mistake.problem).", fix: "\(mistake.remedy).")
        } catch {
            return CheckFinding(ProfileDraft.Field.authority.title, failure: error)
        }
    }

    private static func description(of authority: MSALAuthority) -> String {
        let segments = authority.url.path.split(separator: "/").map(String.init)
        switch authority {
        case is MSALB2CAuthority: return "Azure AD B2C" + (segments.count > 2 ? ", policy \(segments[2])." : ".")
        case is MSALCIAMAuthority: return "Entra External ID."
        case is MSALAADAuthority: return "Microsoft Entra ID, \(audience(segments.first ?? ""))."
        case is MSALOAuthAuthority: return "An OAuth server, without ID tokens."
        default: return "An OpenID provider."
        }
    }

    private static func audience(_ tenant: String) -> String {
        switch tenant.lowercased() {
        case "common": "any work, school or personal account"
        case "organizations": "any work or school account"
        case "consumers": "personal accounts"
        default: "tenant \(tenant)"
        }
    }

    private var clientID: CheckFinding {
        guard !draft.clientID.isEmpty else { return unanswered(.clientID) }
        let finding = ClientIDFindings(draft.clientID, authority: try? profile().libraryAuthority()).finding
        guard finding.verdict != .failed else { return finding }
        do {
            var profile = try profile(else: Self.anyAuthority)
            profile.redirectURI = Self.anyRedirectURI
            _ = try profile.application()
            return finding
        } catch {
            return CheckFinding(ProfileDraft.Field.clientID.title, failure: error)
        }
    }

    private var redirectURI: CheckFinding {
        guard !draft.redirectURI.isEmpty else { return unanswered(.redirectURI) }
        do {
            var profile = try profile(else: Self.anyAuthority)
            profile.clientID = Self.anyClientID
            let url = try profile.application().redirectUri.url
            guard url.lowercasedScheme != "https" else {
                return CheckFinding(
                    "Redirect URI", .warning, "The browser stays on that page and doesn't return to this program.",
                    fix: "Use http://localhost, or paste the page's URL at each sign-in.")
            }
            return CheckFinding(
                "Redirect URI", .passed,
                url.lowercasedScheme == "http"
                    ? "The browser returns to this program."
                    : "The desktop opens this program, once that is registered for it ('keyturn register').")
        } catch {
            return CheckFinding(ProfileDraft.Field.redirectURI.title, failure: error)
        }
    }

    func applicationToTest() throws -> MSALPublicClientApplication {
        var profile = try profile()
        (profile.clientID, profile.redirectURI) = (Self.anyClientID, Self.anyRedirectURI)
        profile.certificateAuthorityFile = certificateFile
        return try profile.application()
    }

    private var certificateFile: String? {
        draft.certificates.isEmpty ? nil : URL(fileURLWithPath: draft.certificates, relativeTo: folder).path
    }

    private var certificates: CheckFinding? {
        guard let certificateFile else { return nil }
        do {
            _ = try Profile.certificates(in: certificateFile)
            return CheckFinding("CA file", .passed, "Contains a certificate.")
        } catch {
            return CheckFinding("CA file", .failed, error.reason, fix: error.advice)
        }
    }

    private var clientSecret: CheckFinding? {
        guard !draft.clientSecret.isEmpty, !MSALClientSecret.isValid(draft.clientSecret) else { return nil }
        return CheckFinding(
            ProfileDraft.Field.clientSecret.title, .failed, "Not a client secret.",
            fix: "Copy it again from the provider's console.")
    }

    private var scopes: CheckFinding? {
        guard let wrong = draft.scopeList.first(where: { !$0.isScope }) else { return nil }
        return CheckFinding(
            ProfileDraft.Field.scopes.title, .failed, "\"\(wrong)\" is not a scope.",
            fix: "Scopes are ASCII, without quotes and backslashes.")
    }

    private var name: CheckFinding? {
        guard draft.name.count > 40 else { return nil }
        return CheckFinding("Name", .failed, "Too long.", fix: "Use one or two words.")
    }

    // Valid placeholders while one field is checked.
    private static let anyAuthority = "https://login.example.org/any"
    private static let anyClientID = "any"
    private static let anyRedirectURI = "http://localhost"

    /// - Parameter fallback: the authority if the draft's is invalid.
    private func profile(else fallback: String? = nil) throws(AuthorityURL.Mistake) -> Profile {
        let address: URL
        do { address = try AuthorityURL.read(draft.authority) } catch {
            address = try AuthorityURL.read(fallback ?? draft.authority)
        }
        var profile = Profile(name: draft.name, clientID: draft.clientID, authority: address)
        if let kind = draft.kind { profile.authorityType = AuthorityKind(kind, at: address.absoluteString) }
        profile.endpoints = endpoints
        profile.redirectURI = draft.redirectURI
        return profile
    }
}
