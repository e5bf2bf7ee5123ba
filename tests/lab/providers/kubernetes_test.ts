import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions, type TestLab } from "../../../src/lab/testing/mod.ts";
import { differingMembers, readPublishedMetadata } from "../../support/published_metadata.ts";
import { pod, requestToken, type TokenRequestOptions } from "../../support/workload_login.ts";

/** Opens a lab whose clock stands still: a token and what is expected of it have one time. */
async function open(options: HallpassOptions = {}): Promise<TestLab> {
  const lab = await hallpass({ provider: "kubernetes", ...options });
  lab.clock.freeze();
  return lab;
}
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;

async function claimsOf(lab: TestLab, options: TokenRequestOptions = {}) {
  const response = await requestToken(lab, options);
  return decodeJwt((await response.json()).status.token) as Record<string, unknown>;
}

function seconds({ clock }: TestLab): number {
  return Math.floor(clock.now() / 1000);
}

describe("A lab that plays Kubernetes", () => {
  it("kubernetes.metadata: publishes what an API server does, and no other document", async () => {
    await using lab = await open();
    const read = async (path: string) => await lab.fetch(`${lab.issuer}/.well-known/${path}`);
    const played = await (await read("openid-configuration")).json();
    assertEquals(differingMembers(readPublishedMetadata("kubernetes"), played), []);
    assertEquals((await read("oauth-authorization-server")).status, 404);
  });

  it("kubernetes.token_request: is answered with itself and a token that verifies", async () => {
    await using lab = await open();
    const audiences = ["https://api.example"];
    const response = await requestToken(lab, { spec: { audiences, expirationSeconds: 600 } });
    const { status: { token, expirationTimestamp }, ...others } = await response.json();
    const now = seconds(lab);
    assertEquals([response.status, others], [201, {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: {
        name: "checkout",
        namespace: "shop",
        creationTimestamp: new Date(now * 1000).toISOString().replace(".000", ""),
      },
      spec: { audiences, expirationSeconds: 600, boundObjectRef: null },
    }]);
    assertEquals(Date.parse(expirationTimestamp), (now + 600) * 1000);
    const keys = await (await lab.fetch(`${lab.issuer}/openid/v1/jwks`)).json();
    await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: lab.issuer,
      audience: "https://api.example",
      currentDate: new Date(lab.clock.now()),
    });
  });

  it("kubernetes.header: has no typ, and nbf is iat", async () => {
    await using lab = await open();
    const { status: { token } } = await (await requestToken(lab)).json();
    const header = JSON.parse(atob(token.split(".")[0]));
    assertEquals(Object.keys(header).sort(), ["alg", "kid"]);
    const { iat, nbf } = decodeJwt(token);
    assertEquals([iat, nbf], [seconds(lab), seconds(lab)]);
  });

  it("kubernetes.audience kubernetes.lifetime: are the API server, for an hour", async () => {
    await using lab = await open();
    const { aud, exp } = await claimsOf(lab);
    assertEquals([aud, exp], [[lab.issuer], seconds(lab) + 3600]);
    await using other = await open({ dialect: { workloadTokens: { audience: "cluster" } } });
    assertEquals((await claimsOf(other, { spec: { audiences: [] } })).aud, ["cluster"]);
  });

  it("kubernetes.claims: name the account and its pod, with ids that stay", async () => {
    await using lab = await open();
    const { sub, jti, "kubernetes.io": about } = await claimsOf(lab, {
      spec: { boundObjectRef: pod },
    });
    assertEquals(sub, "system:serviceaccount:shop:checkout");
    const { pod: { uid: podId, ...itsPod }, serviceaccount: { uid, ...account }, ...others } =
      about as Record<"pod" | "serviceaccount", Record<string, string>>;
    assertEquals([itsPod, account, others], [
      { name: "checkout-7d9c" },
      { name: "checkout" },
      { namespace: "shop" },
    ]);
    for (const id of [uid, podId, jti]) assertMatch(String(id), uuid);
    const again = await claimsOf(lab);
    assertEquals(again["kubernetes.io"] as typeof about & object, {
      namespace: "shop",
      serviceaccount: { name: "checkout", uid },
    });
    assertNotEquals(again.jti, jti);
    const other = await claimsOf(lab, { namespace: "test" });
    assertNotEquals(
      (other["kubernetes.io"] as Record<string, { uid: string }>).serviceaccount?.uid,
      uid,
    );
  });

  it("kubernetes.claims: have what a test adds", async () => {
    const claims = { "kubernetes.io": { node: { name: "node-1", uid: "n-1" } } };
    await using lab = await open({ dialect: { workloadTokens: { claims } } });
    const about = (await claimsOf(lab))["kubernetes.io"] as Record<string, unknown>;
    assertEquals([about.node, about.namespace], [{ name: "node-1", uid: "n-1" }, "shop"]);
  });

  it("kubernetes.warnafter: is an hour from now in a token of a pod that lives for a year", async () => {
    await using lab = await open();
    const spec = { expirationSeconds: 3607, boundObjectRef: pod };
    const response = await requestToken(lab, { spec });
    const { status: { token, expirationTimestamp } } = await response.json();
    const { exp, "kubernetes.io": about } = decodeJwt(token) as Record<string, unknown>;
    const now = seconds(lab);
    assertEquals([exp, (about as Record<string, unknown>).warnafter], [now + 31536000, now + 3607]);
    assertEquals(Date.parse(expirationTimestamp), (now + 3607) * 1000);
  });

  const usual: Array<[what: string, spec: Record<string, unknown>]> = [
    ["of no pod", { expirationSeconds: 3607 }],
    ["for an audience", { expirationSeconds: 3607, boundObjectRef: pod, audiences: ["vault"] }],
    ["of another lifetime", { expirationSeconds: 3608, boundObjectRef: pod }],
  ];
  for (const [what, spec] of usual) {
    it(`kubernetes.warnafter: is not in a token ${what}, which lives as long as asked`, async () => {
      await using lab = await open();
      const { exp, "kubernetes.io": about } = await claimsOf(lab, { spec });
      assertEquals(exp, seconds(lab) + Number(spec.expirationSeconds));
      assertEquals(Object.keys(about as object).includes("warnafter"), false);
    });
  }

  it("kubernetes.bearer: is what a test chooses", async () => {
    await using lab = await open({ dialect: { workloadTokens: { bearer: "mine" } } });
    assertEquals((await requestToken(lab, { bearer: "mine" })).status, 201);
    assertEquals((await requestToken(lab)).status, 401);
  });

  const refusals: Array<[options: TokenRequestOptions, code: number, message: RegExp]> = [
    [{ bearer: "wrong" }, 401, /^Unauthorized$/],
    [{ method: "GET" }, 405, /does not allow this method/],
    [{ body: "no JSON" }, 422, /not a JSON object/],
    [{ body: "[]" }, 422, /not a JSON object/],
    [
      { spec: { expirationSeconds: 599 } },
      422,
      /599: may not specify a duration less than 10 minutes/,
    ],
    [{ spec: { expirationSeconds: 2 ** 33 } }, 422, /larger than 2\^32 seconds/],
    [{ spec: { expirationSeconds: "600" } }, 422, /expirationSeconds: Invalid value: "600"/],
    [{ spec: { audiences: "api" } }, 422, /spec\.audiences: Invalid value: "api"/],
    [{ spec: { audiences: ["api", ""] } }, 422, /spec\.audiences/],
    [
      { spec: { boundObjectRef: { kind: "Secret", name: "s" } } },
      422,
      /boundObjectRef\.kind.*Secret/,
    ],
    [{ body: '{"kind":"TokenReview"}' }, 422, /kind: Unsupported value: "TokenReview"/],
  ];
  for (const [options, code, message] of refusals) {
    it(`kubernetes.errors: is a Status for ${JSON.stringify(options)}`, async () => {
      await using lab = await open();
      const response = await requestToken(lab, options);
      const { message: text, ...others } = await response.json();
      const { kind, status, code: named } = others;
      assertEquals([response.status, kind, status, named], [code, "Status", "Failure", code]);
      assertMatch(text, message);
    });
  }

  it("kubernetes.token_request: needs a namespace and a name", async () => {
    await using lab = await open();
    for (const options of [{ namespace: "" }, { name: "" }, { name: "a/b" }]) {
      assertEquals((await requestToken(lab, options)).status, 404);
    }
  });

  it("is recorded", async () => {
    await using lab = await open();
    await requestToken(lab);
    assertMatch(lab.requests().at(-1)?.path ?? "", /\/serviceaccounts\/checkout\/token$/);
  });
});
