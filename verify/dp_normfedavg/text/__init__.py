"""What the paper says outside its numbered statements: definitions, sentences, signal and noise, experiments."""
