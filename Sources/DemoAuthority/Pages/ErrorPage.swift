import OAuthCore

/// An error that can't be sent to the client.
struct ErrorPage: Page {
    let error: AuthorityError
    let exchange: Exchange

    var title: String { "Sign-in failed" }

    var content: HTML {
        """
        \(alert(error.message))
        <p>Go back to the application and start again. If it persists, send these details to support:</p>
        <dl class="facts">
        <dt>Error</dt><dd><code>\(error.oauthError)</code></dd>
        <dt>Trace ID</dt><dd><code>\(exchange.traceID)</code></dd>
        <dt>Correlation ID</dt><dd><code>\(exchange.correlationID)</code></dd>
        <dt>Time</dt><dd><code>\(exchange.timestamp)</code></dd>
        </dl>
        """
    }
}
