import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { disconnectApp } from "../../src/server/issuer/authorizations/withdrawals.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { featureFixtures } from "../features.ts";
import { type Fields, type Kit, openKit } from "../support/kit.ts";

const redirect_uri = "https://app.example/cb";
const scope = "openid offline_access";

/** A store that does something just before one of its calls. */
interface InterruptedStore {
  store: Store;
  calls: string[];
  /** Before which call it does what, counted from now. */
  interrupt(at: number, act: () => Promise<unknown>): void;
}

function interruptedStore(): InterruptedStore {
  const calls: string[] = [];
  let countdown = Infinity;
  let interruption: () => Promise<unknown> = () => Promise.resolve();
  const methods = Object.entries(memoryStore()).map(([name, method]) => [
    name,
    async (kind: unknown, ...rest: unknown[]) => {
      calls.push(`${name} ${kind}`);
      if (countdown-- === 0) await interruption();
      return await (method as (...args: unknown[]) => unknown)(kind, ...rest);
    },
  ]);
  return {
    store: Object.fromEntries(methods),
    calls,
    interrupt(at, act) {
      calls.length = 0;
      countdown = at;
      interruption = act;
    },
  };
}

/** A user who looks at a consent page, and what sends "Allow". */
interface ConsentPage {
  kit: Kit;
  clientId: string;
  interrupted: InterruptedStore;
  allow(): Promise<unknown>;
}

const clients = ["remembers", "never-remembers"].map((id) => ({
  id,
  redirectUris: [redirect_uri],
  rememberConsent: id === "remembers",
}));

/** Requests that begin elsewhere than at the authorization endpoint. */
const consents = featureFixtures.flatMap(({ consent = [] }) => consent);
const allClients = [...clients, ...consents.map(({ client }) => client)];

async function consentPageOf(clientId: string): Promise<ConsentPage> {
  const interrupted = interruptedStore();
  const kit = openKit({ store: interrupted.store, clients: allClients });
  const browser = kit.browser();
  const open = async () => {
    const elsewhere = consents.find(({ client }) => client.id === clientId);
    if (elsewhere) return await elsewhere.open(kit, browser, { scope });
    const fields: Fields = { client_id: clientId, redirect_uri, scope, prompt: "consent" };
    return await browser.open(kit.authorizationUrl(fields));
  };
  const first = await open();
  const page = await browser.signIn(first);
  return { kit, clientId, interrupted, allow: () => browser.decide(page) };
}

/** Allows while the access is taken back just before a call, and returns what is left of it. */
async function leftOver(clientId: string, at: number): Promise<unknown[]> {
  const { kit, interrupted, allow } = await consentPageOf(clientId);
  const { context } = kit.server;
  interrupted.interrupt(at, () => disconnectApp(context, "alice", clientId, "the user removed it"));
  await allow();
  const { authorizations, consents } = context.records;
  return [...await authorizations.list(), ...await consents.list()];
}

/** Returns the calls of the request that allows. */
async function callsOf(clientId: string): Promise<string[]> {
  const { interrupted, allow } = await consentPageOf(clientId);
  interrupted.interrupt(Infinity, () => Promise.resolve());
  await allow();
  return [...interrupted.calls];
}

describe("Access that is taken back while the user allows it", () => {
  for (const { id: clientId } of allClients) {
    it(`S10: leaves nothing behind for ${clientId}, before whichever call it happens`, async () => {
      const calls = await callsOf(clientId);
      // Before that, the request has only read who sends it.
      const begin = calls.indexOf("consume interaction");
      for (let at = begin; at < calls.length; at++) {
        const call = calls[at];
        assertEquals([call, await leftOver(clientId, at)], [call, []]);
      }
    });

    it(`S10: of ${clientId} is allowed again by the next request`, async () => {
      const { kit, allow } = await consentPageOf(clientId);
      await disconnectApp(kit.server.context, "alice", clientId, "the user removed it");
      await allow();
      assertEquals((await kit.server.context.records.authorizations.list()).length, 1);
    });
  }
});
