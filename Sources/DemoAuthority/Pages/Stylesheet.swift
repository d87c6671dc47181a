import CResources
import OAuthCore

/// The one stylesheet of all pages. It is a data file, so that tools for stylesheets can work on it.
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
