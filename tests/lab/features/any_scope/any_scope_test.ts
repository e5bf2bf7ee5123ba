import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { service } from "../../../support/kit.ts";
import { authorizationUrl } from "../../../support/login.ts";
import { authorizeAsAlice as authorize, client } from "../../../support/nonce_client.ts";
import { registerAt } from "../../../support/registration.ts";
import { assertReport } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass(), withAnyClient: needs("any_client") });

describe("Scopes that a lab does not know", () => {
  it.withAnyClient("are any scope with anyScope, for demo clients, stored clients and services", async () => {
    await using lab = await hallpass({ anyScope: true, anyClient: true });
    const scope = "openid api://orders/.default custom";
    assertEquals((await client.tokens(lab, { scope })).scope, scope);
    const clientId = { client_id: "unknown", redirect_uri: "https://app.example/cb" };
    assert((await authorize(lab, { ...clientId, scope: "one" })).parameters.code);
    assert((await authorize(lab, { ...clientId, scope: "two" })).parameters.code);
    const asked = { grant_type: "client_credentials", scope: "orders:write" };
    assertEquals((await client.token(lab, asked, service)).body.scope, "orders:write");
    assertReport(lab, { leniencies: ["anyClient", "anyScope"] });
  });

  for (const where of ["lab", "tenant"]) {
    it(`K4: are any scope that a user allows before a request has named it: ${where}`, async () => {
      const options = { anyScope: true, clientDefaults: { partialConsent: true } };
      await using lab = await hallpass(options);
      const tested = where === "lab" ? lab : await lab.tenant(options);
      const url = authorizationUrl(tested, { scope: "openid new other" });
      tested.signIn("alice", { grant: ["new"], times: 1 });
      const response = await tested.fetch(url, { redirect: "manual" });
      const location = new URL(response.headers.get("Location") ?? "");
      const { code } = await tested.authorize(url, { user: "alice", grant: ["other"] });
      const scopes = await Promise.all(
        [location.searchParams.get("code"), code].map(async (each) =>
          (await client.redeem(tested, each ?? "")).body.scope
        ),
      );
      assertEquals(scopes, ["openid new", "openid other"]);
      assertThrows(() => lab.signIn("alice", { decision: "maybe" as "deny" }), LabError, "maybe");
    });
  }

  it("T28 U11: are any unconfigured scope at a refresh, and no configured one", async () => {
    await using lab = await hallpass({ anyScope: true });
    let { refresh_token } = await client.tokens(lab, { scope: "openid read" });
    const refresh = async (scope: string | undefined) => {
      const { body } = await client.refresh(lab, refresh_token, { scope });
      refresh_token = body.refresh_token ?? refresh_token;
      return body.scope ?? body.error;
    };
    assertEquals(await refresh("api://orders/.default"), "api://orders/.default");
    assertEquals(await refresh("read api://orders/.default"), "read api://orders/.default");
    assertEquals(await refresh(undefined), "openid read");
    assertEquals(await refresh("write"), "invalid_scope");
    assertEquals(await refresh("read"), "read");
  });

  it.inLab("T28 are only what was granted at a refresh without anyScope", async (lab) => {
    const { refresh_token } = await client.tokens(lab, { scope: "openid read" });
    const { body } = await client.refresh(lab, refresh_token, { scope: "api://orders/.default" });
    assertEquals(body.error, "invalid_scope");
  });

  it("are any scope for a client that registered without a scope, and with anyScope", async () => {
    await using lab = await hallpass({ anyScope: true });
    const redirect_uri = "https://app.example/cb";
    const register = async (metadata: object) =>
      (await registerAt(lab, { redirect_uris: [redirect_uri], ...metadata })).body.client_id;
    const open = await register({});
    const limited = await register({ scope: "openid orders" });
    const scope = "openid custom";
    const request = { redirect_uri, scope };
    assert((await authorize(lab, { ...request, client_id: open })).parameters.code);
    const attempt = () => authorize(lab, { ...request, client_id: limited });
    await assertRejects(attempt, LabError, "Refused: invalid_scope");
    const own = { redirect_uri, client_id: limited, scope: "openid orders" };
    assert((await authorize(lab, own)).parameters.code);
  });

  it("are the newest 1,000 of those that requests made up, none of them long", async () => {
    await using lab = await hallpass({ anyScope: true });
    const redirect_uri = "https://app.example/cb";
    const { body } = await registerAt(lab, { redirect_uris: [redirect_uri] });
    const request = { client_id: body.client_id, redirect_uri };
    const ask = (scope: string) => authorize(lab, { ...request, scope });
    const before = (await client.metadata(lab)).scopes_supported.length;
    for (const round of ["a", "b", "c"]) {
      await ask(Array.from({ length: 400 }, (_, at) => `${round}${at}`).join(" "));
    }
    const { scopes_supported } = await client.metadata(lab);
    assertEquals(scopes_supported.length, before + 1000);
    assertEquals(["c0", "c399", "b399"].every((each) => scopes_supported.includes(each)), true);
    assertEquals((await ask("a0 c1 a399")).parameters.error, undefined);
    await assertRejects(() => ask("long".repeat(100)), LabError, "Refused: invalid_scope");
  });

  it("stay limited for a client with scopes of its own, and after a reset", async () => {
    const clients = [{ id: "web", redirectUris: ["https://app.example/cb"], scopes: ["openid"] }];
    await using lab = await hallpass({ anyScope: true, clients });
    const request = { client_id: "web", redirect_uri: "https://app.example/cb" };
    const { parameters } = await authorize(lab, { ...request, scope: "openid custom" });
    assertEquals(parameters.error, "invalid_scope");
    await lab.reset();
    assertEquals((await client.metadata(lab)).scopes_supported.includes("custom"), false);
  });
});
