import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../src/lab/testing/mod.ts";
import type { WorkloadIssuerConfig } from "../../src/server/features.ts";
import { jwtBearerGrantType } from "../../src/server/protocol/grant_types.ts";
import { itWith } from "../support/it_with.ts";
import { openStrictKit } from "../support/kit.ts";

const it = itWith({ inLab: () => openLab() });

const orders = "https://orders.example";
/** A workload names no client. */
const withoutClient = { grant_type: jwtBearerGrantType, client_id: undefined };
const tokenEndpoint = "https://hallpass.test/oauth2/token";

/** Opens a strict server that trusts the workloads of a lab, with the clock of the lab. */
function openServer(lab: TestLab, issuer: Pick<WorkloadIssuerConfig, "name" | "workloads">) {
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

const openLab = () => hallpass({ issuer: "https://platform.example" });

/** A token of a service account of Kubernetes, as the TokenRequest API returns it. */
async function tokenOfPod(lab: TestLab, namespace = "shop"): Promise<string> {
  const { token } = await lab.mint({
    sub: `system:serviceaccount:${namespace}:checkout`,
    audience: [tokenEndpoint],
    expiresIn: "10m",
    bare: true,
    header: { typ: null },
    claims: {
      jti: crypto.randomUUID(),
      "kubernetes.io": {
        namespace,
        pod: { name: "checkout-7d9c", uid: "f1a5cd57-2b1e-4ae5-a7a5-0fbfd4a54f0c" },
        serviceaccount: { name: "checkout", uid: "9d1a3c52-40c8-4d4e-a0e3-6a8f8cf8e1a7" },
      },
    },
  });
  return token;
}

interface Job {
  repositoryId?: string;
  expiresIn?: `${number}${"m" | "h"}`;
}

/** A token of a job of GitHub Actions. */
async function tokenOfJob(
  lab: TestLab,
  { repositoryId = "74", expiresIn = "5m" }: Job = {},
): Promise<string> {
  const { token } = await lab.mint({
    sub: "repo:octo-org/octo-repo:ref:refs/heads/main",
    audience: tokenEndpoint,
    expiresIn,
    bare: true,
    header: { typ: "JWT" },
    claims: {
      jti: crypto.randomUUID(),
      repository: "octo-org/octo-repo",
      repository_id: repositoryId,
      ref: "refs/heads/main",
      event_name: "push",
    },
  });
  return token;
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

  it.inLab("W01 W02 W03 W04 W05: takes the token of a pod, once", async (lab) => {
    const kit = openServer(lab, cluster);
    const fields = { ...withoutClient, assertion: await tokenOfPod(lab) };
    const first = await kit.token({ ...fields, resource: orders });
    assertEquals([first.status, first.body.scope], [200, "read"]);
    const again = await kit.token({ ...fields, resource: orders });
    assertEquals([again.status, again.body.error], [400, "invalid_grant"]);
  });

  it.inLab("W05: refuses the account of that name in another namespace", async (lab) => {
    const kit = openServer(lab, cluster);
    const assertion = await tokenOfPod(lab, "test");
    const refused = await kit.token({ ...withoutClient, assertion });
    assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
  });

  const repository = {
    name: "github",
    workloads: [{ claims: { repository_id: "74" }, resources: [orders], scopes: ["read"] }],
  };

  it.inLab("W01 W02 W03 W04 W05 W09: takes the token of a job, once", async (lab) => {
    const kit = openServer(lab, repository);
    const fields = { ...withoutClient, assertion: await tokenOfJob(lab) };
    const first = await kit.token({ ...fields, resource: orders });
    assertEquals([first.status, first.body.scope], [200, "read"]);
    const again = await kit.token({ ...fields, resource: orders });
    assertEquals([again.status, again.body.error], [400, "invalid_grant"]);
  });

  it.inLab("W05: refuses a job of another repository", async (lab) => {
    const kit = openServer(lab, repository);
    const assertion = await tokenOfJob(lab, { repositoryId: "75" });
    const refused = await kit.token({ ...withoutClient, assertion });
    assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
  });

  it.inLab("W09: refuses the token of a job once it expired", async (lab) => {
    const kit = openServer(lab, repository);
    const assertion = await tokenOfJob(lab);
    await lab.clock.advance("311s");
    const refused = await kit.token({ ...withoutClient, assertion });
    assertEquals([refused.status, refused.body.error], [400, "invalid_grant"]);
  });

  const lifetimes: Array<[lifetime: "1h" | "6h", status: number]> = [["1h", 200], ["6h", 400]];
  for (const [expiresIn, status] of lifetimes) {
    it.inLab(`W09: responds with ${status} to a token that lives for ${expiresIn}`, async (lab) => {
      const kit = openServer(lab, repository);
      const assertion = await tokenOfJob(lab, { expiresIn });
      const response = await kit.token({ ...withoutClient, assertion });
      assertEquals(response.status, status);
    });
  }
});
