/// Which of its tokens a command prints.
package enum TokenKind: String, Sendable, CaseIterable {
    case access, id
}
