import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { createDeferred } from "../../../src/server/util/time/promises.ts";
import { itWith } from "../../support/it_with.ts";
import { documentOf, openDocuments, openWeb } from "./document_kit.ts";

const it = itWith({ inSlowWeb: openSlowWeb });

const [attacker, office] = ["192.0.2.66", "198.51.100.7"];

/** The user is sent to the page for signing in. */
const found = 303;

/** A server whose untrusted fetches of some hosts never end, until a test releases them. */
function openSlowWeb() {
  const released = createDeferred<void>();
  const counts = new Map([30, 40].map((count) => [count, createDeferred<void>()]));
  let running = 0;
  const web = openWeb(async (url) => {
    if (new URL(url).host.startsWith("slow")) {
      counts.get(++running)?.resolve();
      await released.promise;
    }
    return Response.json(documentOf(url));
  });
  const kit = openDocuments({ documentsPerMinute: 30 }, web);

  /** Looks up the client that a document describes, and returns the status of the response. */
  async function lookUp(host: string, address: string): Promise<number> {
    kit.address = address;
    const client_id = `https://${host}/client.json`;
    return (await kit.ask({ client_id, redirect_uri: `https://${host}/cb` })).status;
  }

  /** The attacker begins more than forty look-ups, in two minutes: thirty, then the others. */
  async function attack(count: number): Promise<Array<Promise<number>>> {
    const lookUps = (first: number, end: number) =>
      Array.from({ length: end - first }, (_, n) => lookUp(`slow${first + n}.example`, attacker));
    const inFirstMinute = lookUps(0, 30);
    await counts.get(30)?.promise;
    kit.clock.advance(60);
    const inSecondMinute = lookUps(30, count);
    await counts.get(40)?.promise;
    return [...inFirstMinute, ...inSecondMinute];
  }

  const untilThirty = () => counts.get(30)?.promise;
  return { lookUp, attack, untilThirty, release: released.resolve, running: () => running };
}

describe("One sender at its limit, and an honest one", () => {
  it.inSlowWeb("S3: has at most forty connections to untrusted hosts, and others have theirs at once", async ({ lookUp, attack, release, running }) => {
    const lookUps = await attack(60);
    assertEquals(await lookUp("honest.example", office), found);
    assertEquals(running(), 40);
    release();
    assertEquals(new Set(await Promise.all(lookUps)), new Set([found]));
    assertEquals(running(), 60);
  });

  it.inSlowWeb("V1: does not have others wait in its queue for a document that it looked up first", async ({ lookUp, attack, release }) => {
    const lookUps = await attack(50);
    const byAttacker = lookUp("honest.example", attacker);
    const byOffice = lookUp("honest.example", office);
    const names = [byAttacker.then(() => "attacker"), byOffice.then(() => "office")];
    assertEquals([await Promise.race(names), await byOffice], ["office", found]);
    release();
    await Promise.all([...lookUps, byAttacker]);
  });

  it.inSlowWeb("V1: may use up the budget of a host while others wait for the same document", async ({ lookUp, untilThirty, release, running }) => {
    const from = (n: number) => lookUp("slow.example", `198.51.${n}.7`);
    const lookUps = Array.from({ length: 40 }, (_, n) => from(n));
    await untilThirty();
    release();
    assertEquals(new Set(await Promise.all(lookUps)), new Set([found]));
    assertEquals(running(), 30);
  });
});
