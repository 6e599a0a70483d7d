"""What the paper says outside its numbered statements: definitions, sentences, other work, experiments."""
