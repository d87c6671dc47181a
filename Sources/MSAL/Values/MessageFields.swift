import Foundation
import OAuthCore

struct MessageField: Sendable {
    var name: String
    var place: MSALFlowParameter.Place
    var kind: MSALFlowParameter.Kind
    var text: String
    var json: JSONValue?
    /// Whether the field belongs to a public document.
    var isPublic = false
}

extension MessageField {
    init(_ name: String, _ text: String, in place: MSALFlowParameter.Place) {
        self.init(name: name, place: place, kind: WireParameter.kind(of: name, in: place), text: text)
    }
}

struct MessageFields: Sendable {
    private(set) var all: [MessageField] = []

    init(_ request: HTTPRequest, _ response: HTTPResponse?) {
        let parameters = AuthorizationResponse.parameters(of: request.url)
        add(parameters.pairs.map { ($0.name, $0.value) }, .query)
        add(request.headers.fields.map { ($0.name, $0.value) }, .requestHeader)
        addForm(request)
        guard let response else { return }
        add(response.headers.fields.map { ($0.name, $0.value) }, .responseHeader)
        addResponse(response, isPublic: request.requestsPublicDocument)
    }

    private mutating func add(_ pairs: [(name: String, text: String)], _ place: MSALFlowParameter.Place) {
        for (name, text) in pairs { all.append(MessageField(name, text, in: place)) }
    }

    private mutating func addForm(_ request: HTTPRequest) {
        guard !request.body.isEmpty else { return }
        guard request.headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
        else { return addWhole(request.body, .requestBody) }
        let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))
        add(form.pairs.map { ($0.name, $0.value) }, .requestBody)
    }

    private mutating func addResponse(_ response: HTTPResponse, isPublic: Bool) {
        guard !response.body.isEmpty else { return }
        let json = try? JSONValue(parsing: response.body)
        guard let members = json?.object, isPublic || members.count <= HTTPResponse.mostMembers else {
            return addWhole(response.body, .responseBody, json)
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            all.append(
                MessageField(
                    name: name, place: .responseBody,
                    kind: WireParameter.kind(of: name, in: .responseBody, isPublic: isPublic),
                    text: value.string ?? value.serialized, json: value, isPublic: isPublic))
        }
    }

    /// Adds a body as a secret, because its content is unknown.
    private mutating func addWhole(_ body: [UInt8], _ place: MSALFlowParameter.Place, _ json: JSONValue? = nil) {
        let text = String(decoding: body, as: UTF8.self)
        all.append(MessageField(name: "(body)", place: place, kind: .secret, text: text, json: json))
    }
}

extension HTTPRequest {
    /// Whether the request is unauthenticated, and so its response public: discovery, keys.
    fileprivate var requestsPublicDocument: Bool {
        method == .get && body.isEmpty && headers["Authorization"] == nil && headers["Cookie"] == nil
    }
}
