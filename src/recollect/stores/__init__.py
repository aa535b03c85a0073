"""Where notes are kept. SQL, full-text syntax and vector literals live here and nowhere else."""
