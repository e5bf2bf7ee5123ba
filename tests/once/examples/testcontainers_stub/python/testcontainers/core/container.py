"""Runs the binary in place of a container, with the environment and the wait strategy of one."""
import os
import subprocess
import threading


class DockerContainer:
    def __init__(self, image):
        self.environment, self.message = dict(os.environ), None

    def with_bind_ports(self, container, host):
        assert container == host

    def with_envs(self, **variables):
        self.environment.update(variables)

    def waiting_for(self, strategy):
        self.message = strategy

    def __enter__(self):
        command = [os.environ["LAB_BINARY"], "lab"]
        self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, text=True)
        assert any(self.message in line for line in self.process.stdout), "it ended before it was ready"
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self.process.terminate()
        self.process.wait()
