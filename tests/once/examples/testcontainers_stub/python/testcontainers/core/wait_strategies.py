class LogMessageWaitStrategy(str):
    """The text to wait for in the output."""
