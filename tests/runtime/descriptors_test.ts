import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { eventually } from "../support/eventually.ts";
import { commandFor, startProgram } from "../support/program.ts";
import { openRawConnection, rawGet, rawPost } from "../support/raw_connection.ts";

/** The program with few file descriptors; each connection takes one. */
function withDescriptors(count: number): string[] {
  return ["sh", "-c", `ulimit -n ${count}; exec "$@"`, "sh", ...commandFor("src/main.ts")];
}

/** Opens more connections than there are descriptors. */
async function flood(port: number, count: number) {
  const opened = await Promise.allSettled(
    Array.from({ length: count }, () => openRawConnection(port)),
  );
  const connections = opened.flatMap((each) => each.status === "fulfilled" ? [each.value] : []);
  for (const { send } of connections) send(rawGet("/health"));
  return { end: () => connections.forEach(({ destroy }) => destroy()) };
}

describe("A server without free file descriptors", () => {
  it("F9: finishes requests in progress, recovers, and can be stopped", async () => {
    const command = withDescriptors(150);
    const lab = await startProgram(["lab", "--port", "0", "--host", "127.0.0.1"], {}, command);
    const port = Number(new URL(lab.issuer).port);
    const before = await openRawConnection(port);
    before.send(`${rawPost("/oauth2/token", 10)}abcde`);
    const crowd = await flood(port, 300);
    before.send("fghij");
    await before.until(/HTTP/);
    crowd.end();
    // Until the crowd has gone, the server may refuse connections.
    const health = await eventually(() => {
      return fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) });
    });
    assertEquals([health.status, await health.text() !== ""], [200, true]);
    assertEquals(await lab.stop(), 0);
    assertMatch(before.received(), /^HTTP\/1.1 400 /);
  });
});
