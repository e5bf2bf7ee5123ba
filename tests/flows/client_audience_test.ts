import { assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import { add as addClient, disable as disableClient } from "../../src/administration/clients.ts";
import { tokenExchangeGrantType } from "../../src/server/protocol/grant_types.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { featureFixtures, plainGrantTypes } from "../features.ts";
import { itWith } from "../support/it_with.ts";
import { basic, isActive, type Kit, openKit, seesTokens } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { register } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ withKit: () => open() });

const secret = "a-secret-of-22-characters";
const api = "https://api.example";
const documentUrl = "https://app.example/client.json";
const redirect_uri = "https://app.example/cb";
const caller = basic("caller", secret);

const canExchange = hasFeature("token exchange");

const clients = [
  { id: "configured", secret, redirectUris: [redirect_uri] },
  { id: "switched-off", secret, redirectUris: [redirect_uri], disabled: true },
  {
    id: "caller",
    secret,
    redirectUris: [redirect_uri],
    ...seesTokens,
    grantTypes: [...plainGrantTypes],
    ...canExchange && {
      grantTypes: [...plainGrantTypes, tokenExchangeGrantType],
      tokenExchange: { audiences: ["stored", "later"], impersonation: true },
    },
  },
];

type KitChanges = NonNullable<Parameters<typeof openKit>[0]>;

/** A server that accepts any resource, with a client of each kind. */
function open(changes: KitChanges = {}): Kit {
  const document = { client_id: documentUrl, redirect_uris: [redirect_uri] };
  return openKit({
    audienceParameter: true,
    clients,
    fetchUntrusted: () => Promise.resolve(Response.json(document)),
    ...changes,
  });
}

const ownToken = async (kit: Kit, audience?: string) =>
  (await kit.token({ grant_type: "client_credentials", audience }, caller)).body;

/** Returns a code of `caller`, or the error. */
async function codeFor(kit: Kit, audience: string): Promise<string> {
  const fields = { client_id: "caller", redirect_uri, scope: "openid offline_access" };
  const callback = await kit.authorize({ ...fields, prompt: "consent", audience });
  return present(callback.get("error") ?? callback.get("code"));
}

async function userTokens(kit: Kit, audience: string) {
  const code = await codeFor(kit, audience);
  return (await kit.redeem(code, { redirect_uri, client_id: undefined }, caller)).body;
}

const exchange = async (kit: Kit, audience: string) =>
  (await kit.token({
    grant_type: tokenExchangeGrantType,
    subject_token: (await ownToken(kit)).access_token,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    audience,
  }, caller)).body;

/** The ids of clients, each with what makes it one. */
const ids: Array<[kind: string, idIn: (kit: Kit) => string | Promise<string>]> = [
  ["configured", () => "configured"],
  ["configured and disabled", () => "switched-off"],
  ["stored", async (kit) => {
    await addClient(kit.server.context, { id: "stored", redirectUris: [redirect_uri] });
    return "stored";
  }],
  ["stored and disabled", async (kit) => {
    await addClient(kit.server.context, { id: "stored", redirectUris: [redirect_uri] });
    await disableClient(kit.server.context, "stored");
    return "stored";
  }],
];
if (hasFeature("registration")) {
  ids.push(["registered", async (kit) => (await register(kit)).body.client_id]);
}
if (hasFeature("metadata documents")) {
  ids.push(["described by a document that was read", async (kit) => {
    await kit.ask({ client_id: documentUrl });
    return documentUrl;
  }]);
}

describe("No audience of access tokens can be the id of a client", () => {
  for (const [kind, idIn] of ids) {
    it.withKit(`S6: one that is ${kind} is refused as audience and as resource`, async (kit) => {
      const id = await idIn(kit);
      assertEquals((await ownToken(kit, id)).error, "invalid_target");
      assertEquals(await codeFor(kit, id), "invalid_target");
      for (const { begin } of featureFixtures) {
        const begun = await begin?.(
          kit,
          { client_id: undefined, redirect_uri, audience: id },
          caller,
        );
        if (begun) assertEquals(begun.body.error, "invalid_target");
      }
    });
  }

  if (canExchange) {
    it.withKit("S6: one in a policy for token exchange is refused", async (kit) => {
      assertEquals((await exchange(kit, "stored")).error, undefined);
      await addClient(kit.server.context, { id: "stored", redirectUris: [redirect_uri] });
      assertEquals((await exchange(kit, "stored")).error, "invalid_target");
    });
  }

  it.withKit("S6: a client that is added later ends what was issued for its id", async (kit) => {
    const own = await ownToken(kit, "later");
    const exchanged = canExchange ? [await exchange(kit, "later")] : [];
    const ofUser = await userTokens(kit, "later");
    const code = await codeFor(kit, "later");
    const tokens = [own, ...exchanged, ofUser].map(({ access_token }) => access_token);
    const active = () => Promise.all(tokens.map((token) => isActive(kit, token, caller)));
    assertEquals(await active(), tokens.map(() => true));
    await addClient(kit.server.context, { id: "later", redirectUris: [redirect_uri] });
    assertEquals(await active(), tokens.map(() => false));
    const { refresh_token } = ofUser;
    const refreshed = await kit.refresh(refresh_token, {}, caller);
    const redeemed = await kit.redeem(code, { redirect_uri, client_id: undefined }, caller);
    assertEquals([refreshed.body.error, redeemed.body.error], ["invalid_target", "invalid_target"]);
  });

  if (hasFeature("metadata documents")) {
    it.withKit("S6: so does a document that is read later", async (kit) => {
      const { access_token } = await ownToken(kit, documentUrl);
      assertEquals(await isActive(kit, access_token, caller), true);
      await kit.ask({ client_id: documentUrl });
      assertEquals(await isActive(kit, access_token, caller), false);
    });
  }

  it("S6: what the configuration names as a resource is the id of no stored client", async () => {
    const store = memoryStore();
    await addClient(open({ store }).server.context, { id: "my-api", redirectUris: [redirect_uri] });
    const kit = open({ store, resources: ["my-api", documentUrl] });
    for (const id of ["my-api", documentUrl]) {
      assertEquals((await ownToken(kit, id)).error, undefined);
      const url = kit.authorizationUrl({ client_id: id, redirect_uri });
      assertEquals((await kit.get(url.slice(kit.issuer.length))).status, 400);
    }
  });
});

describe("An access token of the type JWT", () => {
  const typeOf = async (changes: KitChanges, audience?: string) => {
    const kit = open({ accessTokenType: "JWT", ...changes });
    return decodeProtectedHeader((await ownToken(kit, audience)).access_token).typ;
  };

  it("S6: is for audiences that the operator named; any other could become a client", async () => {
    assertEquals(await typeOf({}), "JWT");
    assertEquals(await typeOf({ resources: [api] }, api), "JWT");
    assertEquals(await typeOf({}, api), "at+jwt");
    assertEquals(await typeOf({}, documentUrl), "at+jwt");
    assertEquals(await typeOf({}, "later"), "at+jwt");
  });

  if (canExchange) {
    it("S6: is not for the audiences of an exchange that are no resources", async () => {
      const kit = open({ accessTokenType: "JWT" });
      const { access_token } = await exchange(kit, "later");
      assertEquals(decodeProtectedHeader(access_token).typ, "at+jwt");
    });
  }
});
