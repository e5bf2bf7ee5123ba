import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions, type TestLab } from "../../../src/lab/testing/mod.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import type { WorkloadIssuer } from "../../../src/server/protocol/workload.ts";
import { openStrictKit } from "../../support/kit.ts";
import { requestToken } from "../../support/workload_login.ts";

const orders = "https://orders.example";
const tokenEndpoint = "https://hallpass.test/oauth2/token";

/** Opens a strict server that trusts the workloads of a lab, with the clock of the lab. */
function openServer(lab: TestLab, issuer: Pick<WorkloadIssuer, "name" | "workloads">) {
  return openStrictKit({
    grantTypes: [jwtBearerGrantType],
    resources: [orders],
    scopes: { openid: "Sign in", read: "Read" },
    clients: [],
    workloadIssuers: [{ ...issuer, issuer: lab.issuer }],
    fetch: (url) => lab.fetch(url),
    now: lab.clock.now,
  });
}

const openLab = (options: HallpassOptions) =>
  hallpass({ issuer: "https://cluster.example", ...options });

async function tokenOfPod(lab: TestLab, namespace = "shop"): Promise<string> {
  const spec = { audiences: [tokenEndpoint], expirationSeconds: 600 };
  return (await (await requestToken(lab, { namespace, spec })).json()).status.token;
}

/** Gets a token as a job does, from the URL and with the bearer that its runner gave it. */
async function tokenOfJob(lab: TestLab, member = "value"): Promise<string> {
  const url = `${lab.issuer}/idtoken?audience=${encodeURIComponent(tokenEndpoint)}`;
  const headers = { Authorization: "Bearer token-of-the-runner" };
  return (await (await lab.fetch(url, { headers })).json())[member];
}

describe("A server that trusts workloads", () => {
  const cluster = {
    name: "cluster",
    workloads: [{
      claims: { "kubernetes.io": { namespace: "shop", serviceaccount: { name: "checkout" } } },
      resources: [orders],
      scopes: ["read"],
    }],
  };

  it("W01 W02 W03 W04 W05: takes the token of a pod of the preset kubernetes, once", async () => {
    await using lab = await openLab({ provider: "kubernetes" });
    const kit = openServer(lab, cluster);
    const fields = { grant_type: jwtBearerGrantType, assertion: await tokenOfPod(lab) };
    const first = await kit.token({ ...fields, resource: orders });
    assertEquals([first.status, first.body.scope], [200, "read"]);
    const again = await kit.token({ ...fields, resource: orders });
    assertEquals([again.status, again.body.error], [400, "invalid_grant"]);
  });

  it("W05: refuses the account of that name in another namespace", async () => {
    await using lab = await openLab({ provider: "kubernetes" });
    const kit = openServer(lab, cluster);
    const assertion = await tokenOfPod(lab, "test");
    const refused = await kit.token({ grant_type: jwtBearerGrantType, assertion });
    assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
  });

  const repository = {
    name: "github",
    workloads: [{ claims: { repository_id: "74" }, resources: [orders], scopes: ["read"] }],
  };

  it("W01 W02 W03 W04 W05 W09: takes the token of a job of the preset github-actions, once", async () => {
    await using lab = await openLab({ provider: "github-actions" });
    const kit = openServer(lab, repository);
    const fields = { grant_type: jwtBearerGrantType, assertion: await tokenOfJob(lab) };
    const first = await kit.token({ ...fields, resource: orders });
    assertEquals([first.status, first.body.scope], [200, "read"]);
    const again = await kit.token({ ...fields, resource: orders });
    assertEquals([again.status, again.body.error], [400, "invalid_grant"]);
  });

  it("W05: refuses a job of another repository", async () => {
    await using lab = await openLab({
      provider: "github-actions",
      dialect: { workloadTokens: { claims: { repository_id: "75" } } },
    });
    const kit = openServer(lab, repository);
    const refused = await kit.token({
      grant_type: jwtBearerGrantType,
      assertion: await tokenOfJob(lab),
    });
    assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
  });

  it("W09: refuses the token of a job once it expired", async () => {
    await using lab = await openLab({ provider: "github-actions" });
    const kit = openServer(lab, repository);
    const assertion = await tokenOfJob(lab);
    await lab.clock.advance("311s");
    const refused = await kit.token({ grant_type: jwtBearerGrantType, assertion });
    assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
  });

  const lifetimes: Array<[hours: number, status: number]> = [[1, 200], [6, 400]];
  for (const [hours, status] of lifetimes) {
    it(`W09: responds with ${status} to a token that lives for ${hours} h`, async () => {
      const claims = { repository_id: "74", sub: "repo:octo-org/octo-repo" };
      const workloadTokens = { claims, lifetime: hours * 3600 };
      await using lab = await openLab({ dialect: { workloadTokens } });
      const kit = openServer(lab, repository);
      const assertion = await tokenOfJob(lab, "token");
      const response = await kit.token({ grant_type: jwtBearerGrantType, assertion });
      assertEquals(response.status, status);
    });
  }
});
