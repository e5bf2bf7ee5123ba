import { assertEquals, assertMatch } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe } from "node:test";
import type { ClientConfig } from "../../src/server/features.ts";
import { unescape } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { type Fields, type Kit, openKit, read } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ withKit: () => openWith() });

const redirectUris = ["https://hallpass.test/authorized"];

function openWith(changes: Partial<ClientConfig> = {}): Kit {
  return openKit({
    clients: [{
      id: "demo-spa",
      redirectUris,
      responseModes: ["query", "form_post", "fragment"],
      ...changes,
    }],
  });
}

/** What a signed response says, verified as a client does it. */
async function verify(kit: Kit, response: string) {
  const { body } = await read(await kit.get("/oauth2/jwks"));
  return await jwtVerify(response, createLocalJWKSet(body), {
    issuer: kit.issuer,
    audience: "demo-spa",
    currentDate: new Date(kit.clock.now),
  });
}

/** The place where the browser ends, and the response in it. */
async function respond(
  kit: Kit,
  changes: Fields,
): Promise<{ url: string; response: string; parameters: string[] }> {
  const url = await kit.browser().authorize(kit.authorizationUrl(changes));
  const parameters = new URLSearchParams(url.split(/[?#]/)[1]);
  return { url, response: parameters.get("response")!, parameters: [...parameters.keys()] };
}

describe("A signed authorization response (JARM)", () => {
  for (const [mode, joint] of [["jwt", "?"], ["query.jwt", "?"], ["fragment.jwt", "#"]]) {
    it.withKit(`A32 holds everything in one parameter with response_mode=${mode}`, async (kit) => {
      const { url, response, parameters } = await respond(kit, { response_mode: mode });
      assertEquals([url.startsWith(`${redirectUris[0]}${joint}response=`), parameters], [true, [
        "response",
      ]]);
      const { payload } = await verify(kit, response);
      assertEquals([payload.state, payload.iss, payload.aud], ["a-state", kit.issuer, "demo-spa"]);
      assertEquals((await kit.redeem(String(payload.code))).status, 200);
    });
  }

  it.withKit("comes by form with response_mode=form_post.jwt", async (kit) => {
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ response_mode: "form_post.jwt" }));
    const consent = await browser.signIn(page);
    const { html } = await browser.decide(consent);
    const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    assertEquals(inputs.map(([, name]) => name), ["response"]);
    assertMatch(
      String((await verify(kit, unescape(present(inputs[0]?.[2])))).payload.code),
      /^[\w-]{43}$/,
    );
  });

  it.withKit("A26 has no state where none was sent", async (kit) => {
    const { response } = await respond(kit, { response_mode: "jwt", state: undefined });
    assertEquals("state" in (await verify(kit, response)).payload, false);
  });

  it.withKit("is good for ten minutes", async (kit) => {
    const { payload } = await verify(kit, (await respond(kit, { response_mode: "jwt" })).response);
    assertEquals(payload.exp! - kit.clock.now / 1000, 600);
  });

  it.withKit("A32 covers errors as well, before and after a sign-in", async (kit) => {
    for (
      const [changes, error] of [[{ scope: "admin" }, "invalid_scope"], [
        {},
        "access_denied",
      ]] as const
    ) {
      const url = await kit.browser().authorize(
        kit.authorizationUrl({ response_mode: "jwt", ...changes }),
        { decision: "deny" },
      );
      const { searchParams } = new URL(url);
      assertEquals([...searchParams.keys()], ["response"]);
      const { payload } = await verify(kit, searchParams.get("response")!);
      assertEquals([payload.error, payload.state, payload.iss], [error, "a-state", kit.issuer]);
    }
  });

  for (const alg of ["RS256", "ES256", "PS256", "EdDSA"] as const) {
    it(`is signed with ${alg} for a client that asks for it, as the metadata advertises`, async () => {
      const kit = openWith({ authorizationResponseAlg: alg });
      const { protectedHeader } = await verify(
        kit,
        (await respond(kit, { response_mode: "jwt" })).response,
      );
      const { authorization_signing_alg_values_supported: told } = kit.server.context.metadata();
      assertEquals([protectedHeader.alg, (told as string[]).includes(alg)], [alg, true]);
    });
  }

  for (const mode of ["fragment.jwt", "query.jwt.jwt", "x.jwt", ".jwt", "JWT"]) {
    it(`is refused with response_mode=${mode} to a client that may not use it`, async () => {
      const kit = openWith({ responseModes: ["query"] });
      const { url } = await kit.browser().open(kit.authorizationUrl({ response_mode: mode }));
      assertMatch(url, /[?&](error=invalid_request|response=)/);
    });
  }

  if (hasFeature("callback page")) {
    it("is shown by the page at /authorized", async () => {
      const kit = openKit();
      const url = kit.authorizationUrl({ response_mode: "jwt" });
      const { html } = await kit.browser().open(await kit.browser().authorize(url));
      assertMatch(html, /The response is signed/);
    });
  }
});
