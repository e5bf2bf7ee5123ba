import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createDeferred } from "../../../src/server/util/time/promises.ts";
import { type Kit, openKit } from "../../support/kit.ts";

const [attacker, office] = ["192.0.2.66", "198.51.100.7"];

/** The user is sent to the page for signing in. */
const found = 303;

/** A server whose untrusted fetches of some hosts never end, until a test releases them. */
function openSlowWeb() {
  const released = createDeferred<void>();
  const counts = new Map([30, 40].map((count) => [count, createDeferred<void>()]));
  let running = 0;
  const kit = openKit({
    documentsPerMinute: 30,
    fetchUntrusted: async (url) => {
      const { host, origin } = new URL(url);
      if (host.startsWith("slow")) {
        counts.get(++running)?.resolve();
        await released.promise;
      }
      return Response.json({ client_id: url, redirect_uris: [`${origin}/cb`] });
    },
  });
  const untilRunning = async (count: 30 | 40) => await counts.get(count)?.promise;
  return { kit, untilRunning, release: () => released.resolve(), running: () => running };
}

/** Looks up the client that a document describes, and returns the status of the response. */
async function lookUp(kit: Kit, host: string, address: string): Promise<number> {
  const client_id = `https://${host}/client.json`;
  const url = kit.authorizationUrl({ client_id, redirect_uri: `https://${host}/cb` });
  kit.address = address;
  return (await kit.get(url.slice(kit.issuer.length))).status;
}

describe("One sender at its limit, and an honest one beside it", () => {
  it("S3: has at most forty connections to untrusted hosts, and others have theirs at once", async () => {
    const { kit, untilRunning, release, running } = openSlowWeb();
    const lookUps = (first: number) =>
      Array.from({ length: 30 }, (_, n) => lookUp(kit, `slow${first + n}.example`, attacker));
    const inFirstMinute = lookUps(0);
    await untilRunning(30);
    kit.clock.advance(60);
    const inSecondMinute = lookUps(30);
    await untilRunning(40);
    assertEquals(await lookUp(kit, "honest.example", office), found);
    assertEquals(running(), 40);
    release();
    const statuses = await Promise.all([...inFirstMinute, ...inSecondMinute]);
    assertEquals(new Set(statuses), new Set([found]));
    assertEquals(running(), 60);
  });

  it("V1: does not have others wait in its queue for a document that it looked up first", async () => {
    const { kit, untilRunning, release } = openSlowWeb();
    const lookUps = (first: number, count: number) =>
      Array.from({ length: count }, (_, n) => lookUp(kit, `slow${first + n}.example`, attacker));
    const inFirstMinute = lookUps(0, 30);
    await untilRunning(30);
    kit.clock.advance(60);
    const inSecondMinute = lookUps(30, 20);
    await untilRunning(40);
    const byAttacker = lookUp(kit, "honest.example", attacker);
    const byOffice = lookUp(kit, "honest.example", office);
    const first = await Promise.race([
      byAttacker.then(() => "attacker"),
      byOffice.then(() => "office"),
    ]);
    assertEquals(first, "office");
    assertEquals(await byOffice, found);
    release();
    await Promise.all([...inFirstMinute, ...inSecondMinute, byAttacker]);
  });

  it("V1: may use up the budget of a host while others wait for the same document", async () => {
    const { kit, untilRunning, release, running } = openSlowWeb();
    const lookUps = Array.from(
      { length: 40 },
      (_, n) => lookUp(kit, "slow.example", `198.51.${n}.7`),
    );
    await untilRunning(30);
    release();
    assertEquals(new Set(await Promise.all(lookUps)), new Set([found]));
    assertEquals(running(), 30);
  });

  it("S3: uses up its own budget of look-ups, and no other", async () => {
    const { kit } = openSlowWeb();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push(await lookUp(kit, `app${n}.example`, attacker));
    assertEquals(statuses.at(-1), 429);
    assertEquals(await lookUp(kit, "honest.example", office), found);
  });
});
