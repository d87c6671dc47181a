import CResources
import OAuthCore

/// The stylesheet of all pages, a file in `Resources`.
enum Stylesheet {
    static let response: HTTPResponse = {
        let resource = keyturn_resource_authority_style()
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "max-age=3600",
                "X-Content-Type-Options": "nosniff",
            ],
            body: Array(UnsafeBufferPointer(start: resource.bytes, count: resource.count)))
    }()
}
