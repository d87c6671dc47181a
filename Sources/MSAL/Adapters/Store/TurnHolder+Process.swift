import KeyturnSystem

extension TurnHolder {
    /// The running process with this number; `nil` for 0.
    package init?(_ process: Int32) {
        guard process > 0 else { return nil }
        let process = RunningProcess(id: process)
        self.init(name: process.description, isStopped: process.isStopped)
    }
}
