import Console

/// Commands and what they consist of have their settings in boxes, too.
typealias Boxed = Console.Boxed
