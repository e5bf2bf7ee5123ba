import { getIDToken } from "@actions/core";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { GoogleAuth } from "google-auth-library";
import { decodeJwt } from "jose";
import process from "node:process";
import { describe } from "node:test";
import { itWith } from "../../../support/it_with.ts";
import { exchange, openLab, restoreVariables, setForTest, tokenEndpoint } from "./workload_lab.ts";

const it = itWith({ inLab: () => openLab("google") });

restoreVariables();

describe("google-auth-library at the metadata service of a lab", () => {
  it.inLab("finds it, and gets an identity token that the lab takes", async (lab) => {
    setForTest("METADATA_SERVER_DETECTION", "ping-only");
    const auth = new GoogleAuth();
    const client = await auth.getIdTokenClient(tokenEndpoint(lab));
    const token = await client.idTokenProvider.fetchIdToken(tokenEndpoint(lab));
    assertEquals(decodeJwt(token).email, "checkout@shop-project.iam.gserviceaccount.com");
    assertEquals(await exchange(lab, token), "workload:google:104029292853099978293");
  });

  it.inLab("gets an access token, the project and the account", async (lab) => {
    setForTest("METADATA_SERVER_DETECTION", "ping-only");
    const auth = new GoogleAuth({ scopes: ["https://www.googleapis.com/auth/cloud-platform"] });
    assertStringIncludes(await auth.getAccessToken() ?? "", "ya29.");
    assertEquals(await auth.getProjectId(), "shop-project");
    const { client_email, universe_domain } = await auth.getCredentials();
    assertEquals(client_email, "checkout@shop-project.iam.gserviceaccount.com");
    assertEquals(universe_domain, "googleapis.com");
    assertEquals(lab.requests().length > 0, true);
  });

  it.inLab("asks again as long as it is over its limit, or not ready", async (lab) => {
    setForTest("METADATA_SERVER_DETECTION", "ping-only");
    const failures = ["google.too_many_requests", "google.unavailable"] as const;
    const faults = failures.map((name) => lab.fault(name, { times: 1 }));
    const client = await new GoogleAuth().getIdTokenClient(tokenEndpoint(lab));
    const token = await client.idTokenProvider.fetchIdToken(tokenEndpoint(lab));
    assertEquals(await exchange(lab, token), "workload:google:104029292853099978293");
    assertEquals(faults.map(({ fired }) => fired), [1, 1]);
  });
});

describe("@actions/core at the runner of a lab", () => {
  it("gets a token that the lab takes", async () => {
    await using lab = await openLab("github");
    const token = await getIDToken(tokenEndpoint(lab));
    assertEquals(
      await exchange(lab, token),
      "workload:github:repo:octo-org/octo-repo:ref:refs/heads/main",
    );
  });

  it("asks again until it is ready", async () => {
    await using lab = await openLab("github");
    const fault = lab.fault("github.unavailable", { times: 2 });
    await exchange(lab, await getIDToken(tokenEndpoint(lab)));
    assertEquals(fault.fired, 2);
  });

  it("gets none with another token of the runner", async () => {
    await using _lab = await openLab("github");
    setForTest("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "other");
    const { message } = await assertRejects(() => getIDToken("api"), Error);
    assertStringIncludes(message, "Error Code : 401");
  });
});

describe("A request as client-go sends it, at the Kubernetes API of a lab", () => {
  it("gets a token that the lab takes", async () => {
    await using lab = await openLab("kubernetes");
    const { KUBERNETES_API = "", KUBERNETES_TOKEN = "" } = process.env;
    const path = "/api/v1/namespaces/shop/serviceaccounts/checkout/token";
    const response = await fetch(`${KUBERNETES_API}${path}`, {
      method: "POST",
      headers: {
        Accept: "application/json, */*",
        Authorization: `Bearer ${KUBERNETES_TOKEN}`,
        "Content-Type": "application/json",
        "User-Agent": "kubectl/v1.33.1 (linux/amd64) kubernetes/8adc0f0",
      },
      body: JSON.stringify({
        kind: "TokenRequest",
        apiVersion: "authentication.k8s.io/v1",
        metadata: { creationTimestamp: null },
        spec: { audiences: [tokenEndpoint(lab)], expirationSeconds: 600, boundObjectRef: null },
        status: { token: "", expirationTimestamp: null },
      }),
    });
    const { status } = await response.json();
    assertEquals(response.status, 201);
    assertEquals(
      await exchange(lab, status.token),
      "workload:kubernetes:system:serviceaccount:shop:checkout",
    );
  });
});
