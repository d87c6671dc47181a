import Glibc

package enum NetworkInterfaces {
    /// Whether an interface could reach other computers: it is up, has an address, and isn't the loopback interface. Also
    /// `true` if the system doesn't tell.
    package static var reachOthers: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return true }
        defer { freeifaddrs(list) }
        var entry = list
        while let interface = entry?.pointee {
            if let address = interface.ifa_addr, reachesOthers(interface.ifa_flags, Int32(address.pointee.sa_family)) {
                return true
            }
            entry = interface.ifa_next
        }
        return false
    }

    private static func reachesOthers(_ flags: UInt32, _ family: Int32) -> Bool {
        let (isUp, isLoopback) = (flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) != 0)
        return isUp && !isLoopback && (family == AF_INET || family == AF_INET6)
    }
}
