import AuthEngine
import Diagnosis
import TerminalUI

/// The details of an inspector row.
struct TraceRowDetails {
    let row: TraceRow
    let context: Context

    func lines(width: Int) -> [StyledLine] {
        switch row {
        case .exchange(let exchange): lines(of: exchange, width: width)
        case .step(let step, _): lines(of: step, width: width)
        }
    }

    private func lines(of step: FlowProgress.Step, width: Int) -> [StyledLine] {
        [StyledLine(step.step.title(by: .browser), Style(.accent, .bold))]
            + ([step.detail] + step.remarks).filter { !$0.isEmpty }.flatMap { StyledLine.wrap($0, to: width) }
    }

    private func lines(of exchange: MSALFlowExchange, width: Int) -> [StyledLine] {
        let purpose = ExchangePurpose(exchange)
        let meaning = ParameterDictionary.bundled.entry(for: purpose)
        let title = StyledLine([
            Span(purpose.title, Style(.accent, .bold)), Span(meaning.map { "  \($0.source)" } ?? "", .muted),
        ])
        let address = StyledLine.wrap(exchange.address, to: width, style: .link)
        let failure = exchange.failure.map { StyledLine.wrap($0, to: width, style: .danger) } ?? []
        let sentences = [meaning?.meaning, exchange.direction.sentence].compactMap { $0 }
        return [title] + address + StyledLine.wrap(result(exchange), to: width) + failure
            + sentences.flatMap { StyledLine.wrap($0, to: width, style: .muted) }
            + parameterLines(ParameterList(exchange), width: width)
    }

    private func result(_ exchange: MSALFlowExchange) -> String {
        let secrets = exchange.parameters.count { $0.isRedacted }
        let parts = [
            exchange.method, exchange.status.map { "status \($0)" }, exchange.mediaType,
            exchange.responseSize > 0 ? "\(exchange.responseSize) bytes" : nil,
            Moment.count(exchange.parameters.count, "parameter"),
            secrets > 0 ? "\(secrets) redacted" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " \(context.glyphs.separator) ")
    }

    private func parameterLines(_ list: ParameterList, width: Int) -> [StyledLine] {
        list.sections.flatMap { section -> [StyledLine] in
            let facts = section.parameters.map { (name: $0.name, value: Optional($0.shown)) }
            return [.empty, StyledLine(section.title, Style(.muted, .bold))]
                + StyledLine.facts(facts, width: width, glyphs: context.glyphs)
        }
    }
}

extension MSALFlowParameter {
    /// The value as shown, with a note for secrets.
    var shown: String { Printable.sanitize([value, note].compactMap { $0 }.joined(separator: ", ")) }
}
