import Testing

/// Checks the package's sources against the architecture rules.
@Suite("Architecture rules of the package")
struct RepositoryTests {
    @Test("The table of libraries is complete")
    func libraries() throws {
        let table = try Repository.text("Sources/CSystem/libraries.c")
        let loaded = try Repository.files(below: "Sources", endingIn: [".c", ".h"])
            .flatMap { $0.text.matches(of: #/LOAD\("(?<file>[^"]+)"/#).map { String($0.file) } }
        #expect(loaded.count >= 6)
        for file in loaded { #expect(table.contains("\"\(file)\""), "\(file)") }
        let manifest = try Repository.text("Package.swift")
        let linked = Set(manifest.matches(of: #/linkedLibrary\("(?<name>\w+)"\)/#).map { String($0.name) })
        // dl is part of the C library, tinfo part of ncurses.
        for name in linked.subtracting(["dl", "tinfo"]) { #expect(table.contains("\"lib\(name).so."), "\(name)") }
    }

    @Test("No target imports upwards")
    func imports() throws {
        let violations = try Repository.sources.get().flatMap(ImportRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("Files that decide make no system calls")
    func systemCalls() throws {
        let sources = try Repository.sources.get()
        let types = try ImportRule.systemTypes(in: sources)
        #expect(types.contains("PlainFile"))
        let violations = try sources.flatMap { try ImportRule.systemCalls(in: $0, types: types) }
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("The manifest declares no dependency that the import rule lacks")
    func manifest() throws {
        let tools = ["TestSupport", "SignedRequest", "torture", "soak", "Bench", "Fuzzing", "fuzz", "LibraryExample"]
        let declared = ImportRule.declaredDependencies(manifest: try Repository.text("Package.swift"))
            .filter { !tools.contains($0.key) }
        #expect(declared.keys.sorted() == ImportRule.allowed.keys.sorted())
        for (target, dependencies) in declared {
            #expect(dependencies.subtracting(ImportRule.allowed[target] ?? []) == [], "in target \(target)")
        }
    }

    @Test("The diagram of targets shows exactly the edges that the import rule allows")
    func drawing() throws {
        let drawn = ImportRule.drawnDependencies(document: try Repository.text("docs/ARCHITECTURE.md"))
        #expect(drawn == ImportRule.allowed.filter { !$0.value.isEmpty })
    }

    @Test("The architecture page names every seam")
    func seams() throws {
        let document = try Repository.text("docs/ARCHITECTURE.md")
        let dependencies = try Repository.text("Sources/MSAL/Seams/Dependencies.swift")
        let seams = dependencies.matches(of: #/package var \w+: any (?<seam>\w+)/#).map { String($0.seam) }
        #expect(seams.count >= 10)
        for seam in seams { #expect(document.contains("`\(seam)`"), "\(seam)") }
    }

    @Test("Only adapters use clock, environment, randomness, output, files and tasks")
    func effects() throws {
        let violations = try Repository.sources.get().flatMap(EffectRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("No source file uses an API that needs locale data")
    func locale() throws {
        let violations = try Repository.sources.get().flatMap(LocaleRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("Threads and errors of the system report limits")
    func systemLimits() throws {
        let violations = try Repository.sources.get().flatMap(SystemLimitRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("One target reads and writes JSON")
    func json() throws {
        let violations = try Repository.sources.get().flatMap(JSONRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("Tasks run on the program's own threads")
    func dispatch() throws {
        let violations = try Repository.sources.get().flatMap(DispatchRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("Code that can crash or race has its reason beside it")
    func safety() throws {
        let violations = try Repository.sources.get().flatMap(SafetyRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("The program uses only the library's public API")
    func libraryFirst() throws {
        let sources = try Repository.sources.get()
        let own = try LibraryFirstRule.ownTypes(
            of: sources.filter { !LibraryFirstRule.libraryTargets.contains($0.target) })
        let hidden = try LibraryFirstRule.hiddenTypes(
            of: sources.filter { LibraryFirstRule.libraryTargets.contains($0.target) }
        )
        .subtracting(own)
        let violations = try sources.flatMap { try LibraryFirstRule.violations(in: $0, hidden: hidden) }
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("No default covers cases of the package's own enumerations")
    func defaults() throws {
        let sources = try Repository.sources.get()
        let enumerations = DefaultRule.enumerations(in: sources)
        #expect(enumerations.count > 150)
        let violations = sources.flatMap { DefaultRule.violations(in: $0, enumerations: enumerations) }
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("No folder uses one above it", arguments: ["MSAL", "Subcommands"])
    func layers(target: String) throws {
        let drawn = LayerRule.drawnLayers(document: try Repository.text("docs/ARCHITECTURE.md"))
        let layers = try #require(drawn[target])
        let files = try Repository.sources.get().filter { $0.target == target }
        #expect(Set(files.map(LayerRule.folder)) == Set(layers))
        let violations = try LayerRule.violations(in: files, layers: layers)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("No source file is longer than the rule allows")
    func size() throws {
        let violations = try Repository.files(below: "Sources", endingIn: [".swift", ".c", ".h"])
            .flatMap(SizeRule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("The terminal program's folders are layers, and no screen uses another")
    func folders() throws {
        let sources = try Repository.sources.get()
        let owners = try FolderRule.owners(of: sources)
        let violations = try sources.flatMap { try FolderRule.violations(in: $0, owners: owners) }
        #expect(violations.isEmpty, "\(report(violations))")
    }

    @Test("Outside its folder, only the list of screens names one, and the model the first ones")
    func screens() throws {
        let mentions = try FolderRule.mentions(in: Repository.sources.get())
        #expect(mentions.count == 37)
        for (screen, files) in mentions {
            let others = files.filter { !$0.hasPrefix("Sources/Console/Program/Model") }
            #expect(others == ["Sources/Console/Program/AllScreens.swift"], "\(screen)")
            let isFirst = ["AccountsScreen", "StartProblemScreen", "ProviderChoice"].contains(screen)
            #expect(isFirst || files == others, "\(screen)")
        }
    }

    private func report(_ violations: [Violation]) -> String {
        "\n" + violations.map(\.description).joined(separator: "\n")
    }

    @Test("Declarations use the words of the table in CONTRIBUTING")
    func dictionary() throws {
        let words = DictionaryRule.rejectedWords(document: try Repository.text("CONTRIBUTING.md"))
        #expect(words.count > 15)
        #expect(DictionaryRule.otherMeanings.keys.allSatisfy(words.contains))
        let rule = try DictionaryRule(words: words)
        let sources = try Repository.sources.get()
        let violations = try sources.flatMap(rule.violations)
        #expect(violations.isEmpty, "\(report(violations))")
        #expect(DictionaryRule.exceptions.count < 20)
        let declared = Set(try sources.flatMap { try DictionaryRule.declarations(in: $0).map(\.name) })
        #expect(declared.isSuperset(of: DictionaryRule.exceptions.keys))
    }
}
