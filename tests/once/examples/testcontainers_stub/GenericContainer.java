package org.testcontainers.containers;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.testcontainers.utility.DockerImageName;

/** Runs the binary in place of a container, with the environment and the wait strategy of one. */
public class GenericContainer<Self extends GenericContainer<Self>> {
    private final Map<String, String> environment = new HashMap<>();
    private Pattern message;
    private Process process;

    public GenericContainer(DockerImageName image) {
    }

    protected void addFixedExposedPort(int hostPort, int containerPort) {
        if (hostPort != containerPort) throw new IllegalArgumentException("The ports differ.");
    }

    @SuppressWarnings("unchecked")
    public Self withEnv(String name, String value) {
        environment.put(name, value);
        return (Self) this;
    }

    /** The strategy is the pattern, which Testcontainers compares with each frame of the output. */
    @SuppressWarnings("unchecked")
    public Self waitingFor(Pattern strategy) {
        message = strategy;
        return (Self) this;
    }

    public void start() {
        try {
            var builder = new ProcessBuilder(List.of(System.getProperty("binary"), "lab"))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().putAll(environment);
            process = builder.start();
            var lines = process.inputReader();
            for (String line; (line = lines.readLine()) != null;) {
                if (message.matcher(line + "\n").matches()) return;
            }
            throw new IllegalStateException("It ended before it was ready.");
        } catch (IOException cause) {
            throw new IllegalStateException(cause);
        }
    }

    public void stop() {
        process.destroy();
        process.onExit().join();
    }
}
