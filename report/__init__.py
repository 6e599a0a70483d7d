"""Results to PDF: prose and layout, no number typed by hand."""
