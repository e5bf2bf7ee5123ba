import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { addSecret as addClientSecret } from "../../../src/administration/client_secrets.ts";
import { add as addClient } from "../../../src/administration/clients.ts";
import { findRowsToReseal } from "../../../src/administration/rows_to_reseal.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import type { ClientConfig } from "../../../src/server/features.ts";
import { createCipher } from "../../../src/server/features/encryption_at_rest/cipher.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { minute } from "../../../src/server/util/time/duration.ts";
import { agent, openRequest, pollCiba } from "../../support/ciba.ts";
import {
  assertionClaims,
  assertionType,
  makeClientKey,
  seconds,
} from "../../support/client_key.ts";
import { answerDevice, beginDevice, deviceGrant, pollDevice } from "../../support/device.ts";
import { openEnterprise, refreshTokenType } from "../../support/enterprise.ts";
import { itWith } from "../../support/it_with.ts";
import { makeKeyPair } from "../../support/key_pairs.ts";
import { type Kit, openKit, type ReadResponse, spa } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { countedStore } from "../../support/stores.ts";
import { hasFeature } from "../../support/where_feature.ts";

const it = itWith({ inSealed: openSealed });

const earlier = "the secret that has leaked, of 32 characters or more";
const secret = "the secret that replaces it, of 32 characters or more";
const hmacClient = {
  id: "app",
  secret: "x".repeat(40),
  authentication: ["client_secret_jwt" as const],
  grantTypes: ["client_credentials"],
};

/** A store whose rows the earlier secret encrypts, with a refresh token of its server. */
async function openSealed(): Promise<{ store: Store; refresh_token: string }> {
  const store = memoryStore();
  const kit = openKit({ store, secret: earlier });
  await addClient(kit.server.context, hmacClient);
  await addClientSecret(kit.server.context, "app");
  const { refresh_token } = await kit.tokens();
  return { store, refresh_token };
}

function assertUnavailable({ status, headers, body }: ReadResponse): void {
  assertEquals([status, body.error], [503, "temporarily_unavailable"]);
  assertEquals(headers.get("Retry-After"), "5");
}

/** What a client redeems once: prepared at one server, and redeemed at another. */
interface Spent {
  client?: ClientConfig;
  prepare(kit: Kit): Promise<(kit: Kit) => Promise<ReadResponse>>;
}

const keyed = await makeClientKey();

const spent: Readonly<Record<string, Spent>> = {
  "a code": {
    async prepare(kit) {
      const code = await kit.code();
      return (at) => at.redeem(code);
    },
  },
  "the assertion of a client": {
    client: {
      id: "keyed",
      jwks: { keys: [keyed.publicJwk] },
      grantTypes: ["client_credentials"],
    },
    async prepare(kit) {
      const client_assertion = await keyed.sign({
        ...assertionClaims(kit, "keyed"),
        exp: seconds(kit) + 5 * minute,
      });
      const fields = { client_assertion, client_assertion_type: assertionType };
      return (at) => at.token({ grant_type: "client_credentials", scope: "read", ...fields });
    },
  },
  ...hasFeature("device flow") && {
    "the code of a device": {
      client: { id: "demo-cli", native: true, grantTypes: [deviceGrant] },
      async prepare(kit: Kit) {
        const { device_code, user_code } = (await beginDevice(kit)).body;
        await answerDevice(kit, user_code);
        return (at: Kit) => pollDevice(at, device_code);
      },
    },
  },
  ...hasFeature("backchannel authentication") && {
    "an auth_req_id": {
      client: agent(),
      async prepare(kit: Kit) {
        const { begun, answer } = await openRequest(kit);
        await answer();
        return (at: Kit) => pollCiba(at, begun.auth_req_id);
      },
    },
  },
};

async function rowsOf(store: Store, from = earlier) {
  const { context } = openKit({ store, secret }).server;
  return await findRowsToReseal(context, createCipher(from));
}

describe("Replacing HALLPASS_SECRET", () => {
  it.inSealed("L13: encrypts each row anew, and everything goes on", async ({ store, refresh_token }) => {
    const rows = await rowsOf(store);
    assert(rows.length >= 3);
    for (const { reseal } of rows) await reseal();
    const kit = openKit({ store, secret });
    await kit.server.ready();
    const refreshed = await kit.refresh(refresh_token);
    assertEquals(refreshed.status, 200, JSON.stringify(refreshed.body));
    const old = () => openKit({ store, secret: earlier }).server.ready();
    await assertRejects(old, Error, "another secret");
    assertEquals(await rowsOf(store), []);
  });

  it("can be repeated wherever it was cut off", async () => {
    const total = (await rowsOf((await openSealed()).store)).length;
    for (let done = 0; done < total; done++) {
      const { store } = await openSealed();
      for (const { reseal } of (await rowsOf(store)).slice(0, done)) await reseal();
      const left = await rowsOf(store);
      assertEquals(left.length, total - done);
      for (const { reseal } of left) await reseal();
      await openKit({ store, secret }).server.ready();
    }
  });

  it("encrypts a second secret of a client that was added with the new secret in between", async () => {
    const store = memoryStore();
    const kit = openKit({ store, secret: earlier });
    await addClient(kit.server.context, hmacClient);
    await addClientSecret(openKit({ store, secret }).server.context, "app");
    for (const { reseal } of await rowsOf(store)) await reseal();
    assertEquals(await rowsOf(store), []);
  });

  it("encrypts the secret of a client that was stored without one, and that no server has met", async () => {
    const store = memoryStore();
    await addClient(openKit({ store }).server.context, hmacClient);
    const [[, client] = []] = await store.list("client");
    assert(JSON.stringify(client).includes(hmacClient.secret));
    const rows = await rowsOf(store);
    for (const { reseal } of rows) await reseal();
    const [[, resealed] = []] = await store.list("client");
    assert(!JSON.stringify(resealed).includes(hmacClient.secret));
    assertEquals(await rowsOf(store), []);
  });

  it.inSealed("refuses a wrong earlier secret before it changes anything", async ({ store }) => {
    await assertRejects(() => rowsOf(store, "x".repeat(32)), Error, "another secret");
    await openKit({ store, secret: earlier }).server.ready();
  });

  it.inSealed("does not bring a key back that was removed in the meantime", async ({ store }) => {
    const rows = await rowsOf(store);
    for (const [id] of await store.list("key")) await store.delete("key", id);
    for (const { reseal } of rows) await reseal();
    assertEquals(await store.list("key"), []);
  });
});

describe("V4: A server that still runs with a secret that leaked", () => {
  const configs: Record<string, () => Promise<Partial<LabConfig>>> = {
    "signs with a key of the store": async () => ({}),
    "signs with a key of its configuration": async () => ({
      signingKeys: [{ jwk: (await makeKeyPair("ES256")).privateJwk }],
      alg: "ES256",
    }),
    "issues opaque tokens": async () => ({
      clients: [
        spa({ accessTokenFormat: "opaque", grantTypes: ["authorization_code", "refresh_token"] }),
      ],
    }),
  };

  for (const [what, configure] of Object.entries(configs)) {
    it(`issues nothing after a minute if it ${what}`, async () => {
      const store = memoryStore();
      const kit = openKit({ store, secret: earlier, ...await configure() });
      await kit.server.ready();
      const { refresh_token } = await kit.tokens({ scope: "read" });
      for (const { reseal } of await rowsOf(store)) await reseal();
      kit.clock.advance(minute);
      assertUnavailable(await kit.refresh(refresh_token));
      assertEquals((await openKit({ store, secret }).refresh(refresh_token)).status, 200);
    });
  }

  if (hasFeature("token exchange")) {
    it("issues no ID-JAG after a minute if it signs with a key of its configuration", async () => {
      const store = memoryStore();
      const signingKeys = [{ jwk: (await makeKeyPair("ES256")).privateJwk }];
      const idp = { store, secret: earlier, signingKeys, alg: "ES256" as const };
      const { signIn, request, advance } = openEnterprise({ idp });
      const { refresh_token } = await signIn({ scope: "openid offline_access", prompt: "consent" });
      for (const { reseal } of await rowsOf(store)) await reseal();
      advance(minute);
      const fields = { subject_token_type: refreshTokenType };
      assertUnavailable(await request(present(refresh_token), fields));
    });
  }

  for (const [what, { client, prepare }] of Object.entries(spent)) {
    it(`X4: does not use up ${what}`, async () => {
      const store = memoryStore();
      const clients = [spa(), ...client ? [client] : []];
      const open = (secret: string) => openKit({ store, clients, secret });
      const old = open(earlier);
      await old.server.ready();
      const redeem = await prepare(old);
      for (const { reseal } of await rowsOf(store)) await reseal();
      old.clock.advance(minute);
      assertUnavailable(await redeem(old));
      const fresh = open(secret);
      fresh.clock.now = old.clock.now;
      const { status, body } = await redeem(fresh);
      assertEquals([status, body.error], [200, undefined]);
    });
  }

  it("X4: uses up no code if it cannot derive the nonce of the response", async () => {
    const store = memoryStore();
    const open = (secret: string) => openKit({ store, clients: [spa()], secret, dpopNonces: true });
    const [other, old] = [open(earlier), open(earlier)];
    // It has derived nothing yet, and knows its keys for a minute.
    await old.server.ready();
    const code = await other.code();
    for (const { reseal } of await rowsOf(store)) await reseal();
    assertUnavailable(await old.redeem(code));
    assertEquals((await open(secret).redeem(code)).status, 200);
  });

  it("signs nothing else after a minute with a key that it had decrypted", async () => {
    const store = memoryStore();
    const kit = openKit({ store, secret: earlier });
    await kit.tokens();
    for (const { reseal } of await rowsOf(store)) await reseal();
    const { keys } = kit.server.context;
    await keys.active("EdDSA");
    kit.clock.advance(minute);
    await assertRejects(async () => await keys.active("EdDSA"), Error, "another secret");
  });

  it("checks that once a minute, however many tokens it issues", async () => {
    const store = countedStore({ batches: false });
    const kit = openKit({ store, secret });
    const listed = () => store.waits.join().split("list secret").length - 1;
    for (let minutes = 0; minutes < 3; minutes++) {
      for (let n = 0; n < 3; n++) await kit.tokens();
      assertEquals(listed(), minutes + 1);
      kit.clock.advance(minute);
    }
  });
});
