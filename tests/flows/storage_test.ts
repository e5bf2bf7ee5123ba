import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { featureFixtures } from "../features.ts";
import { assertion, type ClientKey, makeClientKey } from "../support/client_key.ts";
import { makeProof, proofKey } from "../support/dpop.ts";
import { challenge, type Fields, type Kit, openKit, read, service } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";
import { withAddress } from "../support/with_address.ts";

const [attacker, office] = ["192.0.2.66", "198.51.100.7"];

/** A lab in which one network may have little stored. */
function openTightKit(storedBytesPerMinute = 4000): Kit {
  const kit = openKit({ storedBytesPerMinute });
  kit.address = attacker;
  return kit;
}

function requestOf(kit: Kit, changes: Fields = {}): Fields {
  return {
    client_id: "demo-spa",
    redirect_uri: `${kit.issuer}/authorized`,
    response_type: "code",
    scope: "openid",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  };
}

function register(kit: Kit, metadata: object = {}): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ redirect_uris: ["https://app.example/cb"], ...metadata });
  return kit.server.fetch(
    withAddress(
      new Request(`${kit.issuer}/oauth2/register`, { method: "POST", headers, body }),
      kit.address,
    ),
  );
}

/** The statuses of many token requests, each with a DPoP proof of its own. */
async function sendProofs(
  kit: Kit,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const [key, statuses] = [await proofKey(), new Set<number>()];
  for (let n = 0; n < 30; n++) {
    const DPoP = await makeProof(key, "POST", `${kit.issuer}/oauth2/token`);
    statuses.add((await kit.post("/oauth2/token", fields, { ...headers, DPoP })).status);
  }
  return [...statuses];
}

/** The statuses of many introspection requests, each with a client assertion of its own. */
async function sendAssertions(kit: Kit, clientId: string, key: ClientKey): Promise<number[]> {
  const statuses = new Set<number>();
  for (let n = 0; n < 30; n++) {
    const fields = { grant_type: "client_credentials", ...await assertion(kit, clientId, key) };
    statuses.add((await kit.post("/oauth2/token", fields)).status);
  }
  return [...statuses];
}

describe("A parameter that is too long", () => {
  const long = "x".repeat(3000);

  it("M8: is an error that is redirected to the client, once its redirect URI is known", async () => {
    const kit = openKit();
    const page = await kit.browser().open(kit.authorizationUrl({ nonce: long }));
    assertMatch(
      page.url,
      /\/authorized\?error=invalid_request&error_description=The%20parameter%20'nonce'%20must%20have%20at%20most%201024/,
    );
  });

  for (const name of ["state", "redirect_uri"]) {
    it(`M8: is an error page for '${name}', which nothing may be built from`, async () => {
      const kit = openKit();
      const page = await kit.browser().open(
        kit.authorizationUrl({ [name]: `https://app.example/${long}` }),
      );
      assertEquals([
        page.status,
        page.html.includes(`&#39;${name}&#39; must have at most 2048`) ||
        page.html.includes(`'${name}' must have at most 2048`),
      ], [400, true]);
    });
  }

  it("M8: is refused when it is pushed, and when a device sends it", async () => {
    const kit = openKit();
    for (const { begin } of featureFixtures) {
      const begun = await begin?.(kit, { acr_values: long });
      if (begun) assertMatch(begun.body.error_description, /'acr_values' must have at most 1024/);
    }
  });
});

describe("What one network may have stored in a minute", () => {
  const ways: Record<string, (kit: Kit) => Promise<Pick<Response, "status" | "headers">>> = {
    "authorization requests": (kit) => kit.ask(),
    "authorization requests by POST": (kit) => kit.post("/oauth2/authorize", requestOf(kit)),
    ...Object.fromEntries(
      featureFixtures.flatMap(({ name, begin }) =>
        begin
          ? [[`requests of public clients: ${name}`, (kit) => begin(kit, { scope: "read" })]]
          : []
      ),
    ),
    ...hasFeature("registration") &&
      { "registrations of untrusted clients": (kit: Kit) => register(kit) },
  };
  for (const [what, send] of Object.entries(ways)) {
    it(`M8: bounds ${what}: 429 and Retry-After, and everyone else goes on`, async () => {
      const kit = openTightKit();
      const statuses = [];
      for (let n = 0; n < 50; n++) statuses.push((await send(kit)).status);
      const refused = await send(kit);
      assertEquals(present(statuses[0]) < 400, true);
      assertEquals(refused.status, 429);
      assertEquals(refused.headers.get("Retry-After"), "60");
      kit.address = office;
      assert((await send(kit)).status < 400);
      kit.address = attacker;
      kit.clock.advance(60);
      assert((await send(kit)).status < 400);
    });
  }

  it("M8: counts what is written, not how often", async () => {
    const count = async (state: string) => {
      const kit = openTightKit(100_000);
      let stored = 0;
      while ((await kit.ask({ state })).status === 303) stored++;
      return stored;
    };
    const [short, long] = [await count("s"), await count("s".repeat(2000))];
    assert(short > 100 && long < 50, `${short}, ${long}`);
  });

  it("M8: does not count requests that are completed at once", async () => {
    const kit = openTightKit(2000);
    const browser = kit.browser();
    await browser.authorize(kit.authorizationUrl());
    for (let n = 0; n < 50; n++) {
      assertMatch((await browser.open(kit.authorizationUrl())).url, /[?&]code=/);
    }
  });

  it("M8: bounds the marks of DPoP proofs, which a public client sends without a credential", async () => {
    const fields = { grant_type: "authorization_code", client_id: "demo-spa", code: "x" };
    assertEquals(await sendProofs(openTightKit(), fields), [400, 429]);
  });

  it("M8: does not count token requests without a proof, which leave no mark", async () => {
    const kit = openTightKit();
    const fields = { grant_type: "authorization_code", client_id: "demo-spa", code: "x" };
    for (let n = 0; n < 30; n++) {
      assertEquals((await kit.post("/oauth2/token", fields)).status, 400);
    }
  });

  it("M8: does not count the DPoP proofs of a client that has authenticated", async () => {
    const fields = { grant_type: "client_credentials", scope: "read" };
    assertEquals(await sendProofs(openTightKit(), fields, service), [200]);
  });

  if (hasFeature("registration")) {
    it("M8: bounds the marks of assertions of a client that anyone could have registered", async () => {
      const [kit, key] = [openTightKit(), await makeClientKey()];
      const { client_id } = (await read(
        await register(kit, {
          token_endpoint_auth_method: "private_key_jwt",
          jwks: { keys: [key.publicJwk] },
        }),
      )).body;
      assertEquals(await sendAssertions(kit, client_id, key), [400, 429]);
    });
  }

  it("M8: does not count the assertions of a client that the operator knows", async () => {
    const key = await makeClientKey();
    const clients = [{ id: "key", jwks: { keys: [key.publicJwk] } }];
    const kit = openKit({ storedBytesPerMinute: 4000, clients });
    kit.address = attacker;
    assertEquals(await sendAssertions(kit, "key", key), [200]);
  });

  it("M8: is bounded far higher in a lab, and not where no address is known", async () => {
    const [lab, unknown] = [openKit(), openTightKit()];
    lab.address = attacker;
    unknown.address = undefined;
    for (const kit of [lab, unknown]) {
      for (let n = 0; n < 100; n++) {
        assertEquals((await kit.post("/oauth2/authorize", requestOf(kit))).status, 303);
      }
    }
  });

  it("Q8: is bounded in a lab, too, whose sign-ins any web page can begin", () => {
    const { settings } = openKit().server.context;
    assertEquals(settings.storedBytesPerMinute, 8 * 1024 * 1024);
  });

  it("M8: is a megabyte by default", () => {
    const { settings } = openKit({ storedBytesPerMinute: undefined }).server.context;
    assertEquals(settings.storedBytesPerMinute, 1024 * 1024);
  });
});
