"""The site of the book: light pages, formulas without a script, a reference of the package."""
