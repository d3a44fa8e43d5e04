"""The search: kernels driven in slices, counted, divided, restarted and estimated."""
