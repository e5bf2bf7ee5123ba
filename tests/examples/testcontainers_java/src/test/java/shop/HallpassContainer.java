package shop;

import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** A lab in a container, at the same address for the tests, the browser and its own tokens. Copy it. */
public class HallpassContainer extends GenericContainer<HallpassContainer> {
    private final String issuer;
    private final String labToken = UUID.randomUUID().toString();

    /** {@code configuration} is JSON: what a configuration file would hold. */
    public HallpassContainer(String image, int port, String configuration) {
        super(DockerImageName.parse(image));
        issuer = "http://localhost:" + port;
        addFixedExposedPort(port, port);
        withEnv("HALLPASS_CONFIG_JSON", configuration);
        withEnv("HALLPASS_ISSUER", issuer);
        withEnv("HALLPASS_PORT", String.valueOf(port));
        withEnv("HALLPASS_HOST", "0.0.0.0");
        withEnv("HALLPASS_EXPOSE", "yes");
        withEnv("HALLPASS_LAB_TOKEN", labToken);
        waitingFor(Wait.forLogMessage(".*hallpass ready .*", 1));
    }

    public String issuer() {
        return issuer;
    }

    /** What calls of the lab's interface need: {@code Authorization: Bearer TOKEN}. */
    public String labToken() {
        return labToken;
    }
}
