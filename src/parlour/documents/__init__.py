"""Messages and results that only go over the wire: what HTTP, workers and events send beyond the results of Parlour."""
