pytest_plugins = ["pytest_hallpass"]
