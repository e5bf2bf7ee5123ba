import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { describe } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { jwtBearerGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { itWith } from "../../../support/it_with.ts";
import { openStrictKit } from "../../../support/kit.ts";
import { callLab } from "../../../support/lab_call.ts";
import { assertClean } from "../../../support/reported.ts";
import { ask, audienceOf, present, type Source, tokenFrom, valid } from "./workloads.ts";

const it = itWith({
  inLab: () => hallpass({ workloads: true }),
  without: () => hallpass(),
  withAudience: () => hallpass({ workloads: { audience: "shop" } }),
});

const sources = Object.keys(valid) as Source[];

describe("A lab that plays where workloads get their tokens", () => {
  for (const source of sources) {
    it.inLab(`takes a token of ${source} at its token endpoint`, async (lab) => {
      const { status, body } = await present(lab, await tokenFrom(lab, source));
      assertEquals([status, body.scope], [200, "read write"]);
      assertClean(lab, { refused: true });
    });

    it.inLab(`refuses a token of ${source} for another audience`, async (lab) => {
      const other = { resource: "https://api.example", audience: "https://api.example" };
      const body = { spec: { audiences: ["https://api.example"] } };
      const change = source === "kubernetes" ? { body } : { query: other };
      const refused = await present(lab, await tokenFrom(lab, source, change));
      assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
      const { json } = await callLab(lab, "GET /requests");
      assertStringIncludes(JSON.stringify(json), "must be the configured audience alone");
    });

    it.inLab(`refuses a token of ${source} once it has expired`, async (lab) => {
      const token = await tokenFrom(lab, source);
      await lab.clock.advance("70m");
      const refused = await present(lab, token);
      assertStringIncludes(
        refused.body.error_description ?? "",
        "The assertion is invalid: it exp",
      );
    });
  }

  it.inLab("takes the token of a job once", async (lab) => {
    const token = await tokenFrom(lab, "github");
    assertEquals((await present(lab, token)).status, 200);
    assertEquals((await present(lab, token)).status, 400);
  });

  it.inLab("takes a token of a metadata service again", async (lab) => {
    const token = await tokenFrom(lab, "google");
    assertEquals((await present(lab, token)).status, 200);
    assertEquals((await present(lab, token)).status, 200);
  });

  it.withAudience("wants the audience of the test", async (lab) => {
    const token = await tokenFrom(lab, "github", { query: { audience: "shop" } });
    assertEquals((await present(lab, token)).status, 200);
    assertEquals((await present(lab, await tokenFrom(lab, "github"))).status, 400);
  });

  it.inLab("signs what a test chose, and refuses a workload that it does not know", async (lab) => {
    const claims = { repository: "octo-org/fork", repository_id: "75", ref: "refs/heads/test" };
    lab.configure({ workloads: { claims: { github: claims } } });
    const token = await tokenFrom(lab, "github");
    const { sub, repository_id } = decodeJwt(token);
    assertEquals([sub, repository_id], ["repo:octo-org/fork:ref:refs/heads/test", "75"]);
    const refused = await present(lab, token);
    assertStringIncludes(refused.body.error_description ?? "", "must be those of a configured");
    await lab.reset();
    assertEquals((await present(lab, await tokenFrom(lab, "github"))).status, 200);
  });

  it.inLab("publishes metadata and keys, by which another server takes the tokens", async (lab) => {
    const github = (await lab.workloads()).find(({ source }) => source === "github");
    const kit = openStrictKit({
      grantTypes: [jwtBearerGrantType],
      resources: ["https://api.example"],
      scopes: { read: "Read" },
      clients: [],
      now: lab.clock.now,
      fetch: (url) => lab.fetch(url),
      workloadIssuers: [{
        name: "github",
        issuer: github?.issuer ?? "",
        audience: audienceOf(lab),
        workloads: [{
          claims: { repository_id: "74" },
          resources: ["https://api.example"],
          scopes: ["read"],
        }],
      }],
    });
    const assertion = await tokenFrom(lab, "github");
    const fields = { client_id: undefined, grant_type: jwtBearerGrantType, assertion };
    assertEquals((await kit.token(fields)).status, 200);
  });

  for (const source of ["azure", "google", "github", "kubernetes"] as const) {
    it.inLab(`publishes the metadata of the issuer of ${source}`, async (lab) => {
      const { iss } = decodeJwt(await tokenFrom(lab, source));
      const url = `${iss?.replace(/\/$/, "")}/.well-known/openid-configuration`;
      const { issuer, jwks_uri } = await (await lab.fetch(url)).json();
      assertEquals(issuer, iss);
      const { keys: [key] } = await (await lab.fetch(jwks_uri)).json();
      assertEquals(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
    });
  }

  it.inLab("shows the environment variables on its home page", async (lab) => {
    const html = await (await lab.fetch(`${lab.issuer}/`)).text();
    assertStringIncludes(html, "export GCE_METADATA_HOST=hallpass.test");
  });

  it.without("has none of it unless that is set", async (lab) => {
    assertEquals(await lab.workloads(), []);
    for (const source of sources) assertEquals((await ask(lab, source)).status, 404);
  });
});

describe("A configuration that trusts a source on its own terms", () => {
  const itOwn = itWith({
    inLab: () =>
      hallpass({
        workloads: true,
        resources: ["https://api.example"],
        workloadIssuers: [{
          name: "ci",
          issuer: "https://hallpass.test/workloads/github",
          audience: "shop",
          workloads: [{
            claims: { repository_id: "74", environment: "production" },
            resources: ["https://api.example"],
            scopes: ["read"],
          }],
        }],
      }),
  });

  itOwn.inLab("needs no keys", async (lab) => {
    const query = { audience: "shop" };
    assertEquals((await present(lab, await tokenFrom(lab, "github", { query }))).status, 400);
    lab.configure({ workloads: { claims: { github: { environment: "production" } } } });
    const { status, body } = await present(lab, await tokenFrom(lab, "github", { query }));
    assertEquals([status, body.scope], [200, "read"]);
  });
});
