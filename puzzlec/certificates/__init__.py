"""Certificates: proofs of counts, in files that a small separate program checks (docs/certificates.md)."""
