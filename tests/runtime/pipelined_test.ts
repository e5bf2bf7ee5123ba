import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { listenOnNode } from "../../src/runtime/node.ts";
import { createDeferred } from "../../src/server/util/time/promises.ts";
import { openRawConnection, rawGet } from "../support/raw_connection.ts";

const skip = ("Deno" in globalThis || "Bun" in globalThis) &&
  "Deno waits by itself, and Bun closes the connection";

/** Listens on Node. Each request waits until the test lets it go on. */
async function listenWithGates() {
  const handled: string[] = [];
  const gateOf = (gates: Map<string, ReturnType<typeof createDeferred<void>>>, path: string) => {
    const gate = gates.get(path) ?? createDeferred<void>();
    gates.set(path, gate);
    return gate;
  };
  const [arrivals, releases] = [new Map(), new Map()];
  const { port, close } = await listenOnNode({
    hostname: "127.0.0.1",
    port: 0,
    async respond({ url }) {
      const { pathname } = new URL(url);
      handled.push(pathname);
      gateOf(arrivals, pathname).resolve();
      await gateOf(releases, pathname).promise;
      return { status: 200, headers: [], body: `did ${pathname}` };
    },
  });
  return {
    port,
    handled,
    arrival: (path: string) => gateOf(arrivals, path).promise,
    release: (path: string) => gateOf(releases, path).resolve(),
    close,
  };
}

describe("Requests in a pipeline, on Node", () => {
  it("are handled one after the other, and others in between", { skip }, async () => {
    const { port, handled, arrival, release, close } = await listenWithGates();
    const pipeline = await openRawConnection(port);
    const other = await openRawConnection(port);
    const paths = ["/1", "/2", "/3"];
    pipeline.send(paths.map((path) => rawGet(path)).join(""));
    const seen: string[] = [];
    for (const path of paths) {
      await arrival(path);
      // It is there at the same time, so that the pipeline has had its time, too.
      other.send(rawGet(`/other${path}`));
      await arrival(`/other${path}`);
      seen.push(handled.filter((each) => !each.startsWith("/other")).join());
      release(`/other${path}`);
      release(path);
      await pipeline.until(new RegExp(`did ${path}`));
    }
    // The connection goes on.
    pipeline.send(rawGet("/4"));
    release("/4");
    await pipeline.until(/did \/4/);
    pipeline.destroy();
    other.destroy();
    await close();
    assertEquals(seen, ["/1", "/1,/2", "/1,/2,/3"]);
  });
});
