"""Certificates of exact covers: proofs of counts that a small program checks."""
