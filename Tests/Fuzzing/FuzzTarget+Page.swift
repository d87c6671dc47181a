import DemoAuthority
import Foundation
import OAuthCore

extension FuzzTarget {
    /// An authority's page, as the scripted user of `--tour` reads it. Writing and reading again returns the same page,
    /// and no text that our own pages escape is read as markup.
    static let page = FuzzTarget("page") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let page = PageReader(text)
        let again = PageReader(page.written.markup)
        try requireEqual(
            PageReader(title: again.title, alert: again.alert, forms: again.forms), page.shown, "the page written again"
        )
        let input = PageReader.Input(type: "hidden", name: text, value: text)
        let form = PageReader.Form(action: text, method: "post", inputs: [input, input])
        let own = PageReader(title: text, alert: text, forms: [form])
        try requireEqual(PageReader(own.written.markup), own.shown, "the page of one text")
        return page.forms.isEmpty ? .rejected : .accepted
    }
}

extension PageReader {
    fileprivate var written: HTML {
        "<title>\(title)</title><p role='alert'>\(alert)</p>\(forms.map(\.written))"
    }

    /// The text after a round trip through markup, which has no control characters and no trailing white space.
    fileprivate var shown: PageReader {
        PageReader(
            title: title.shown.trimmingCharacters(in: .whitespacesAndNewlines),
            alert: alert.shown.trimmingCharacters(in: .whitespacesAndNewlines), forms: forms.map(\.shown))
    }
}

extension PageReader.Form {
    fileprivate var written: HTML {
        let inputs = inputs.map { input -> HTML in
            "<input type='\(input.type)' name=\"\(input.name)\" value=\"\(input.value)\" checked>"
        }
        return "<form action=\"\(action)\" method='\(method)'>\(inputs)</form>"
    }

    fileprivate var shown: PageReader.Form {
        PageReader.Form(
            action: action.shown, method: method.shown,
            inputs: inputs.map { .init(type: $0.type.shown, name: $0.name.shown, value: $0.value.shown) })
    }
}

extension String {
    fileprivate var shown: String {
        var shown = ""
        for scalar in unicodeScalars {
            let isShown = scalar.properties.generalCategory != .control || "\n\t".unicodeScalars.contains(scalar)
            shown.unicodeScalars.append(isShown ? scalar : "\u{FFFD}")
        }
        return shown
    }
}
