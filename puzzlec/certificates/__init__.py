"""Certificates: proofs of what was found, in files that a small program of its own checks (docs/certificates.md)."""
