"""Reductions: smaller exact covers with the same solutions, and what each reduction proves."""
