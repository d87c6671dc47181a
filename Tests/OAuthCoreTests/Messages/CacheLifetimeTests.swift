import OAuthCore
import Testing

@Suite("The cache lifetime of a response")
struct CacheLifetimeTests {
    static let rows: [(fields: [(String, String)], lifetime: CacheLifetime)] = [
        ([], .unstated),
        ([("Cache-Control", "private")], .unstated),
        ([("Cache-Control", "max-age=60")], .seconds(60)),
        ([("Cache-Control", "private, Max-Age = 60")], .seconds(60)),
        ([("Cache-Control", "max-age=\"60\"")], .seconds(60)),
        ([("Cache-Control", "max-age=60"), ("Age", "45")], .seconds(15)),
        ([("Cache-Control", "max-age=60"), ("Age", "90")], .seconds(0)),
        ([("Cache-Control", "max-age=60, max-age=30")], .seconds(30)),
        ([("Cache-Control", "s-maxage=60")], .unstated),
        ([("Cache-Control", "max-age=-1")], .seconds(0)),
        ([("Cache-Control", "max-age")], .seconds(0)),
        ([("Cache-Control", "max-age=tomorrow")], .seconds(0)),
        ([("Cache-Control", "no-cache, max-age=60")], .seconds(0)),
        ([("Cache-Control", "no-cache=\"Set-Cookie\"")], .seconds(0)),
        ([("Cache-Control", "max-age=60"), ("cache-control", "No-Store")], .notStored),
        ([("Cache-Control", "no-storefront, ,=,")], .unstated),
    ]

    @Test("Follows Cache-Control and Age", arguments: 0..<rows.count)
    func lifetime(index: Int) {
        let row = Self.rows[index]
        var response = HTTPResponse(status: 200)
        for (name, value) in row.fields { response.headers.append(name, value) }
        #expect(response.cacheLifetime == row.lifetime, "\(row.fields)")
    }
}
