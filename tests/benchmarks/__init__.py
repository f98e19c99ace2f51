"""Speed, measured: ``python -m tests.benchmarks`` from the project's folder."""
