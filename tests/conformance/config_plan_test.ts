import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { read } from "../support/flow_kit.ts";
import { openSuite } from "./suite.ts";

describe("oidcc-config-certification-test-plan", () => {
  it("oidcc-discovery-endpoint-verification: the metadata is complete, and its endpoints use https", async () => {
    const { kit } = await openSuite();
    const response = await read(await kit.get("/.well-known/openid-configuration"));
    const { status, headers, body } = response;
    assertEquals(status, 200);
    assertEquals(headers.get("Content-Type"), "application/json");
    assertEquals(body.issuer, kit.issuer);
    const urls = Object.entries(body).filter(([name]) => /_(endpoint|uri)$/.test(name));
    assertEquals(urls.filter(([, url]) => !String(url).startsWith("https://")), []);
    assert(urls.length >= 4);
    assert(body.scopes_supported.includes("openid"));
    assert(body.response_types_supported.includes("code"));
    assert(body.subject_types_supported.includes("public"));
    assert(body.id_token_signing_alg_values_supported.includes("RS256"));
    assertEquals(body.claims_parameter_supported, true);
    assertEquals(body.code_challenge_methods_supported, ["S256"]);
  });

  it("oidcc-discovery-endpoint-verification: the keys have distinct ids and no private parts", async () => {
    const { kit } = await openSuite();
    const { keys } = (await read(await kit.get("/oauth2/jwks"))).body;
    assert(keys.length > 0);
    assertEquals(new Set(keys.map(({ kid }) => kid)).size, keys.length);
    assertEquals(keys.filter((key) => "d" in key || "p" in key || "k" in key), []);
  });
});
