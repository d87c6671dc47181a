import Glibc
import Subcommands

ProcessGuards.set()
exit(await Program.run(Array(CommandLine.arguments.dropFirst()), in: .live).rawValue)
