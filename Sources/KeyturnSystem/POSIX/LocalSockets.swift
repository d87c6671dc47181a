import Glibc

/// This computer's TCP sockets and their users, from `/proc/net/tcp` and `/proc/net/tcp6` (proc(5)).
package struct LocalSockets: Sendable {
    package struct Socket: Sendable, Equatable {
        /// The kernel's format: one or four words of 32 bits in hexadecimal.
        var address: String
        var port: UInt16
        var remotePort: UInt16
        package var user: UInt32
        var isListening: Bool
        /// The socket's ID in `/proc/PID/fd`, or `0` until a process accepts the connection; ``user`` is then meaningless.
        package var inode: String
    }

    let sockets: [Socket]

    init(lines: [String]) { sockets = lines.compactMap(Socket.init) }

    package func listening(on port: UInt16) -> [Socket] { sockets.filter { $0.isListening && $0.port == port } }

    /// At the other end of a connection. Empty when no process of this computer is there, as with a forwarded port.
    package func users(of address: String, port: UInt16, connectedFrom ownPort: UInt16) -> Set<UInt32> {
        let names = Self.names(of: address)
        let anyAddress = (names.contains { $0.count == 8 } ? [8, 32] : [32]).map { String(repeating: "0", count: $0) }
        // The kernel prefers the listener with the most specific address.
        for name in names + anyAddress {
            let listeners = sockets.filter { $0.isListening && $0.port == port && $0.address == name }
            if !listeners.isEmpty { return Set(listeners.map(\.user)) }
        }
        // The listener may have closed since.
        return Set(connections(of: names, port, to: ownPort).map(\.user))
    }

    /// `nil` if no process holds the connection, as when it is closed.
    package func user(at address: String, port: UInt16, connectedTo ownPort: UInt16) -> UInt32? {
        connections(of: Self.names(of: address), port, to: ownPort).first?.user
    }

    private func connections(of names: [String], _ port: UInt16, to remotePort: UInt16) -> [Socket] {
        sockets.filter {
            !$0.isListening && $0.inode != "0" && $0.port == port && $0.remotePort == remotePort
                && names.contains($0.address)
        }
    }

    /// The spellings of an IP address in the two lists.
    private static func names(of address: String) -> [String] {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            let word = hexadecimal(four.s_addr)
            return [word, mappedPrefix + word]
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return [] }
        return [withUnsafeBytes(of: six) { $0.bindMemory(to: UInt32.self).map(hexadecimal).joined() }]
    }

    /// `::ffff:0:0/96` in the kernel's byte order.
    private static let mappedPrefix = "0000000000000000" + hexadecimal(UInt32(0xFFFF).bigEndian)

    private static func hexadecimal(_ word: UInt32) -> String {
        let digits = String(word, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension LocalSockets {
    /// `nil` when the kernel doesn't list them. If a socket listens on the port, connections are left out.
    ///
    /// - Parameter address: the address of a connection's other end. If an IPv4 socket listens exactly there, it gets the
    ///   connection, and IPv6 sockets are left out: the kernel takes milliseconds to list even few.
    package static func current(port: UInt16, at address: String? = nil) -> LocalSockets? {
        current(port: port, at: address) { lines(of: $0, port: port, at: address) }
    }

    static func current(port: UInt16, at address: String?, lines: (_ path: String) -> [String]?) -> LocalSockets? {
        guard let four = lines("/proc/net/tcp") else { return nil }
        let (sockets, name) = (LocalSockets(lines: four), address.flatMap { names(of: $0).first })
        if let name, sockets.listening(on: port).contains(where: { $0.address == name }) { return sockets }
        // The file of an unsupported address family doesn't exist.
        return LocalSockets(lines: four + (lines("/proc/net/tcp6") ?? []))
    }

    /// A socket can be missing in one read of the lists, because they aren't snapshots.
    package static func firstFound<Found>(
        port: UInt16, reading read: (UInt16) -> LocalSockets? = { current(port: $0) }, _ find: (LocalSockets) -> Found?
    ) -> Found? {
        for _ in 1...4 {
            if let found = read(port).flatMap(find) { return found }
        }
        return nil
    }

    /// The lines of a list, without connections in TIME_WAIT, which no process holds.
    ///
    /// A busy computer has tens of thousands of connections, which take the kernel and this program long to list. The
    /// kernel lists listening sockets first, so a list that has one on the port is read no further. A socket that listens
    /// exactly at the address gets its connections, and is the last line: even the first connection takes the kernel long to
    /// find. It looks for as many lines as the reader has room for, so there is room for one of IPv4.
    static func lines(of path: String, port: UInt16, at address: String? = nil) -> [String]? {
        guard let file = fopen(path, "re") else { return nil }
        let room = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 150)
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer {
            fclose(file)
            room.deallocate()
            free(line)
        }
        if address != nil { setvbuf(file, room.baseAddress, _IOFBF, room.count) }
        let local = ":\(hexadecimal(UInt32(port)).suffix(4)) "
        let exact = address.flatMap { names(of: $0).first }.map { " \($0)\(local)" }
        var lines: [String] = []
        var hasListener = false
        while getline(&line, &capacity, file) > 0, let text = line {
            let listens = strstr(text, " \(State.listening) ") != nil
            if hasListener && !listens { break }
            hasListener = hasListener || (listens && strstr(text, local) != nil)
            if strstr(text, " \(State.timeWait) ") == nil { lines.append(String(cString: text)) }
            if listens, let exact, strstr(text, exact) != nil { break }
        }
        return lines
    }

    fileprivate enum State {
        static let listening = "0A"
        static let timeWait = "06"
    }
}

extension LocalSockets.Socket {
    fileprivate init?(_ line: String) {
        let fields = line.split(separator: " ")
        guard fields.count > 9, let user = UInt32(fields[7]), let (address, port) = Self.endpoint(fields[1]),
            let (_, remotePort) = Self.endpoint(fields[2])
        else { return nil }
        self.init(
            address: address, port: port, remotePort: remotePort, user: user,
            isListening: fields[3] == LocalSockets.State.listening, inode: String(fields[9]))
    }

    private static func endpoint(_ field: Substring) -> (address: String, port: UInt16)? {
        let parts = field.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1], radix: 16) else { return nil }
        return (String(parts[0]), port)
    }
}

package enum NetworkInterfaces {
    /// Whether an interface that is up has an address and isn't the loopback interface. `true` if the system doesn't tell.
    package static var reachOthers: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return true }
        defer { freeifaddrs(list) }
        var entry = list
        while let interface = entry?.pointee {
            let isUpAndNoLoopback = interface.ifa_flags & UInt32(IFF_UP | IFF_LOOPBACK) == UInt32(IFF_UP)
            if isUpAndNoLoopback, let family = interface.ifa_addr?.pointee.sa_family,
                [AF_INET, AF_INET6].contains(Int32(family))
            {
                return true
            }
            entry = interface.ifa_next
        }
        return false
    }
}
