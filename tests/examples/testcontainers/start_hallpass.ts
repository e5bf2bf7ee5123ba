// Our CI has no Docker: it runs the binary with this environment, and this wait strategy on its
// output.

/**
 * The part of the package `testcontainers` that is used: `import * as testcontainers from
 * "testcontainers"`.
 */
export interface Testcontainers {
  GenericContainer: new (image: string) => ContainerToStart;
  Wait: { forLogMessage(message: RegExp): unknown };
}

interface ContainerToStart {
  withEnvironment(environment: Record<string, string>): this;
  withExposedPorts(port: { container: number; host: number }): this;
  withWaitStrategy(strategy: unknown): this;
  start(): Promise<{ stop(): Promise<unknown> }>;
}

/** A lab in a container, at the same address for the tests, the browser and its own tokens. */
export interface HallpassContainer {
  issuer: string;
  /** What calls of the lab's interface need: `Authorization: Bearer TOKEN`. */
  labToken: string;
  stop(): Promise<void>;
}

/** Starts a lab in a container. `configuration` holds what a configuration file would hold. */
export async function startHallpass(
  { GenericContainer, Wait }: Testcontainers,
  image: string,
  { port = 9000, ...configuration }: { port?: number; [setting: string]: unknown } = {},
): Promise<HallpassContainer> {
  const issuer = `http://localhost:${port}`;
  const labToken = crypto.randomUUID();
  const container = await new GenericContainer(image)
    .withEnvironment({
      HALLPASS_CONFIG_JSON: JSON.stringify({ issuer, ...configuration }),
      HALLPASS_PORT: String(port),
      HALLPASS_HOST: "0.0.0.0",
      HALLPASS_EXPOSE: "yes",
      HALLPASS_LAB_TOKEN: labToken,
    })
    .withExposedPorts({ container: port, host: port })
    .withWaitStrategy(Wait.forLogMessage(/^hallpass ready /m))
    .start();
  return { issuer, labToken, stop: async () => void await container.stop() };
}
