import Foundation
import MSAL
import OAuthCore

/// The responses of a resource and its authorization server, read as a sign-in reads them.
struct ResourceWalk {
    /// A place where a document is or could be.
    struct Place<Document> {
        let response: MSALResourceProbe.Response
        let document: Document?
        /// What is there instead of a document, for example "HTTP 404".
        let obstacle: String?

        var url: String { ResourceWalk.shown(response.url) }
    }

    let probe: MSALResourceProbe
    /// The resource with the client for it, if there is one.
    let client: MSALProtectedResource?
    let isManaged: Bool
    /// The response to a request without a token.
    let first: MSALResourceProbe.Response?
    let challenges: [Challenge]
    let malformed: Challenge.Malformed?
    let metadataPlaces: [Place<ResourceMetadata>]
    let misplaced: Place<ResourceMetadata>?
    let serverPlaces: [Place<OpenIDConfiguration>]

    init(_ probe: MSALResourceProbe, client: MSALProtectedResource?, isManaged: Bool) {
        (self.probe, self.isManaged) = (probe, isManaged)
        self.client = [client, probe.resource].compactMap(\.self).first { !$0.clientId.isEmpty }
        first = probe.responses.first { $0.step == .challenge }
        (challenges, malformed) = Self.challenges(in: first?.challenges ?? [])
        let responses: (MSALResourceProbe.Step) -> [MSALResourceProbe.Response] = { step in
            probe.responses.filter { $0.step == step }
        }
        metadataPlaces = responses(.resourceMetadata).map(Self.metadata)
        misplaced = responses(.misplacedMetadata).map(Self.metadata).first { $0.document != nil }
        serverPlaces = responses(.serverMetadata).map(Self.server)
    }

    private static func challenges(in fields: [String]) -> ([Challenge], Challenge.Malformed?) {
        do { return (try Challenge.parse(fields), nil) } catch { return ([], error) }
    }

    var announced: [String] { challenges.flatMap(\.resourceMetadata) }

    // The documents that a sign-in uses.
    var metadata: Place<ResourceMetadata>? { metadataPlaces.first { $0.document != nil } }
    var server: Place<OpenIDConfiguration>? { serverPlaces.first { $0.document != nil } }

    /// The issuer of the authorization server, as the resource writes it.
    var issuer: String? { probe.resource?.issuer ?? metadata?.document?.authorizationServers.first }

    /// The verdict on a mistake with which a sign-in may work.
    var lenient: CheckFinding.Verdict { probe.failure == nil ? .warning : .failed }

    private static func metadata(_ response: MSALResourceProbe.Response) -> Place<ResourceMetadata> {
        place(response, ResourceMetadata.init(reading:), reason: \.reason)
    }

    private static func server(_ response: MSALResourceProbe.Response) -> Place<OpenIDConfiguration> {
        place(
            response,
            { bytes throws(OpenIDConfiguration.Malformed) in
                try OpenIDConfiguration(parsing: bytes, requiresKeys: false)
            }, reason: \.explanation)
    }

    private static func place<Document, Malformed: Error>(
        _ response: MSALResourceProbe.Response, _ read: ([UInt8]) throws(Malformed) -> Document,
        reason: (Malformed) -> String
    ) -> Place<Document> {
        guard response.status == 200 else {
            return Place(response: response, document: nil, obstacle: outcome(of: response))
        }
        do { return Place(response: response, document: try read(Array(response.body)), obstacle: nil) } catch {
            let isPage = response.body.first { !Character(Unicode.Scalar($0)).isWhitespace } == UInt8(ascii: "<")
            return Place(response: response, document: nil, obstacle: isPage ? "a web page" : reason(error))
        }
    }

    static func outcome(of response: MSALResourceProbe.Response) -> String {
        guard let status = response.status else {
            let reason = response.problem.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
            return "no response (\(shown(reason ?? "")))"
        }
        return "HTTP \(status)" + (response.location.map { ", a redirect to \(shown(url: $0))" } ?? "")
    }
}

extension ResourceWalk {
    private static let longest = 120

    static func shown(_ url: URL) -> String { shown(url: url.absoluteString) }
    static func shown(url: String) -> String { shown(Privacy.url(url)) }

    static func shown(_ text: String) -> String {
        let text = text.withoutControls
        return text.count <= longest ? text : "\(text.prefix(longest))…"
    }

    /// Another type than that of JSON, or that there is none.
    static func otherMediaType(_ response: MSALResourceProbe.Response) -> String? {
        response.mediaType == "application/json" ? nil : response.mediaType.map(quoted) ?? "missing"
    }

    static func quoted(_ text: String) -> String { "\"\(shown(text.replacing("\"", with: "'")))\"" }
    static func quoted(_ texts: [String]) -> String {
        texts.prefix(8).map(quoted).joined(separator: ", ") + (texts.count > 8 ? " and others" : "")
    }
}
