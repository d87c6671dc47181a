import Glibc
import Subcommands
import Tasks

ProcessGuards.set()
do {
    exit(try ThreadPool.run { await Program.run(Array(CommandLine.arguments.dropFirst()), in: .live).rawValue })
} catch {
    exit(Program.refuse(error, in: .live).rawValue)
}
