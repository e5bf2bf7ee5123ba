import { assertEquals, assertMatch } from "@std/assert";
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

  it("W09: refuses a token that lives for six hours, as the preset github-actions has it", async () => {
    await using lab = await openLab({ provider: "github-actions" });
    const kit = openServer(lab, {
      name: "github",
      workloads: [{ claims: { repository_id: "74" }, resources: [orders], scopes: ["read"] }],
    });
    const url = `${lab.issuer}/idtoken?audience=${encodeURIComponent(tokenEndpoint)}`;
    const headers = { Authorization: "Bearer token-of-the-runner" };
    const { value } = await (await lab.fetch(url, { headers })).json();
    const refused = await kit.token({ grant_type: jwtBearerGrantType, assertion: value });
    assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
    assertMatch(String(refused.body.error_description), /./);
  });
});
