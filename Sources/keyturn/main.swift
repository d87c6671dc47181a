import Glibc
import Subcommands
import Tasks

ProcessGuards.set()
exit(try ThreadPool.run { await Program.run(Array(CommandLine.arguments.dropFirst()), in: .live).rawValue })
