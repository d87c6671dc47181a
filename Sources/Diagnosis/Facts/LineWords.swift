/// What the words of a line say, found in one pass.
struct LineWords {
    enum Meaning: Hashable {
        /// Something is wrong.
        case complaint
        /// It's advice, source code or a success.
        case excuse
        /// Two values are contrasted.
        case contrast
        case role(ValueRole)
        /// What a rejected value of the role can lead to.
        case symptom(ValueRole)
        case registered, negation, proxy, metadata, manifest, listening, token
        /// Options of Kubernetes' API server, and of its clients.
        case server, client
    }

    private let meanings: Set<Meaning>

    init(_ line: String) {
        // The line begins like a word. Addresses have no comments, and the hosts of a copy end with .invalid.
        let text = " " + line.lowercased().replacing("://", with: ":").replacing(".invalid", with: "")
        var meanings: Set<Meaning> = []
        _ = Self.scanner.scan(Array(text.utf8)) { index, _, _ in meanings.insert(Self.rows[index].1) }
        self.meanings = meanings
    }

    func has(_ meaning: Meaning) -> Bool { meanings.contains(meaning) }
    var isComplaint: Bool { has(.complaint) && !has(.excuse) }
    var roles: [ValueRole] { ValueRole.allCases.filter { has(.role($0)) } }

    private static let rows: [(String, Meaning)] =
        rows(
            .complaint,
            "error|fail|invalid|mismatch|not match|n't match|unable|denied|reject|unauthor|forbidden|exception|missing|not valid|"
                + "not found|not present|unrecognized|not allowed|unregistered|no matching|refused|could not|couldn't|cannot|"
                + "insufficient|is wrong|not configured")
        + rows(
            .excuse,
            "no error|without error|0 error| if |if you|when you|how to|make sure|should be able|throw |enum |assert(|assert.|"
                + "expect(|catch|//|succe")
        + rows(
            .contrast,
            "expect|should be|must be|should have been|not match|n't match|mismatch|not equal|!=|≠|differs from|different from|"
                + "incompatible with|is not the|different")
        + rows(.registered, "registered |approved |whitelisted ") + rows(.negation, "not ")
        + rows(.proxy, "nginx|trust proxy|reverse proxy|x-forwarded-proto")
        + rows(.metadata, "jwks_uri|authorization_endpoint") + rows(.manifest, "android:")
        + rows(.listening, "listening |listens ") + rows(.token, "token|jwt|bearer|unauthorized|credential")
        + rows(.server, "apiserver|oidc-username-claim|oidc-groups-claim|oidc-ca-file")
        + rows(.client, "oidc-login|get-token|kubelogin|kubeconfig|idp-issuer-url")
        + ValueRole.allCases.flatMap { role in
            role.words.map { ($0, Meaning.role(role)) } + role.symptoms.map { ($0, Meaning.symptom(role)) }
        }

    private static func rows(_ meaning: Meaning, _ words: String) -> [(String, Meaning)] {
        Facts.list(words).map { ($0, meaning) }
    }

    private static let scanner = TextScanner(rows.map(\.0))
}
