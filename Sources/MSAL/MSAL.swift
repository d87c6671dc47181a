// The first type of this target lands with its own commit.
