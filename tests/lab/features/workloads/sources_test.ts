import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { jwtBearerGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { hour } from "../../../../src/server/util/time/duration.ts";
import { itWith } from "../../../support/it_with.ts";
import { needs } from "../../../support/where_feature.ts";
import { ask, type Source, type SourceRequest, tokenFrom } from "./workloads.ts";

const it = itWith({ inLab: () => hallpass({ workloads: true, now: () => 1_800_000_000_000 }) });
const now = 1_800_000_000;

/** What a source refuses: the change of a valid request, the status, and the error or the text. */
type SourceRefusals = Record<string, [change: SourceRequest, status: number, error: string]>;

function itRefusesAt(source: Source, refusals: SourceRefusals): void {
  for (const [title, [change, status, error]] of Object.entries(refusals)) {
    it.inLab(`refuses ${title}`, async (lab) => {
      const refused = await ask(lab, source, change);
      const { error: code, message, reason } = refused.body;
      assertEquals([refused.status, code ?? reason ?? message ?? refused.text], [status, error]);
    });
  }
}

describe("Azure's instance metadata service", () => {
  it.inLab("responds with times as texts, and dates a token back by five minutes", async (lab) => {
    const { body } = await ask(lab, "azure", { query: { resource: "https://api.example" } });
    const { access_token = "", ...others } = body;
    assertEquals(others, {
      client_id: "33333333-3333-4333-8333-333333333333",
      refresh_token: "",
      expires_in: "3600",
      expires_on: String(now + hour),
      not_before: String(now - 300),
      resource: "https://api.example",
      token_type: "Bearer",
    });
    const { aud, iat, exp, oid, sub, jti } = decodeJwt(access_token);
    assertEquals([aud, iat, exp, jti], ["https://api.example", now - 300, now + hour, undefined]);
    assertEquals(oid, sub);
  });

  it.inLab("responds at its path with a slash, as a library asks", async (lab) => {
    const path = "/metadata/identity/oauth2/token/";
    assertEquals((await ask(lab, "azure", { path })).status, 200);
  });

  const { client_id, object_id, msi_res_id } = {
    client_id: "33333333-3333-4333-8333-333333333333",
    object_id: "22222222-2222-4222-8222-222222222222",
    msi_res_id: "/subscriptions/44444444-4444-4444-8444-444444444444/resourcegroups/shop" +
      "/providers/Microsoft.Compute/virtualMachines/checkout",
  };
  for (const query of [{ client_id }, { object_id }, { msi_res_id }]) {
    it.inLab(`knows its identity by ${Object.keys(query)}`, async (lab) => {
      assertEquals((await ask(lab, "azure", { query })).status, 200);
    });
  }

  itRefusesAt("azure", {
    "a request without 'Metadata: true'": [
      { headers: { Metadata: undefined } },
      400,
      "bad_request_102",
    ],
    "a Metadata header with capitals": [{ headers: { Metadata: "True" } }, 400, "bad_request_102"],
    "a request through a proxy": [
      { headers: { "X-Forwarded-For": "10.0.0.1" } },
      400,
      "invalid_request",
    ],
    "no version": [{ query: { "api-version": undefined } }, 400, "invalid_request"],
    "an older version": [{ query: { "api-version": "2017-09-01" } }, 400, "invalid_request"],
    "no resource": [{ query: { resource: undefined } }, 400, "invalid_request"],
    "another identity": [{ query: { client_id: "other" } }, 400, "invalid_request"],
    "two identities": [{ query: { client_id, object_id } }, 400, "invalid_request"],
    "another method": [{ method: "POST" }, 405, "invalid_request"],
  });
});

describe("The endpoint of App Service for managed identities", () => {
  it.inLab("responds without the seconds until a token expires", async (lab) => {
    const { body } = await ask(lab, "appService", { query: { resource: "https://api.example" } });
    const { access_token: _, ...others } = body;
    assertEquals(others, {
      client_id: "33333333-3333-4333-8333-333333333333",
      expires_on: String(now + hour),
      not_before: String(now - 300),
      resource: "https://api.example",
      token_type: "Bearer",
    });
  });

  itRefusesAt("appService", {
    "a request without its secret": [
      { headers: { "X-IDENTITY-HEADER": undefined, Metadata: "true" } },
      401,
      "unauthorized_client",
    ],
    "the version of the metadata service": [
      { query: { "api-version": "2018-02-01" } },
      400,
      "invalid_request",
    ],
  });
});

describe("Google's metadata service", () => {
  const values: Record<string, string> = {
    "/": "instance/\nproject/\nuniverse/\n",
    "/computeMetadata/v1/": "instance/\nproject/\nuniverse/\n",
    "/computeMetadata/v1/instance": "service-accounts/\n",
    "/computeMetadata/v1/instance/service-accounts/default/aliases": "default",
    "/computeMetadata/v1/instance/service-accounts/default/email":
      "checkout@shop-project.iam.gserviceaccount.com",
    "/computeMetadata/v1/instance/service-accounts/checkout@shop-project.iam.gserviceaccount.com/scopes":
      "https://www.googleapis.com/auth/cloud-platform",
    "/computeMetadata/v1/project/project-id": "shop-project",
    "/computeMetadata/v1/project/numeric-project-id": "739419398126",
    "/computeMetadata/v1/universe/universe-domain": "googleapis.com",
  };
  for (const [path, text] of Object.entries(values)) {
    it.inLab(`has a value at ${path}`, async (lab) => {
      const read = await ask(lab, "google", { path, query: {} });
      assertEquals(read.status, 200);
      assertEquals(read.text, text);
      assertEquals(read.headers.get("Metadata-Flavor"), "Google");
    });
  }

  it.inLab("leaves the home page to browsers", async (lab) => {
    const page = await lab.fetch(`${lab.issuer}/`);
    assertEquals(page.headers.get("Content-Type"), "text/html; charset=utf-8");
  });

  it.inLab("describes an account as JSON", async (lab) => {
    const path = "/computeMetadata/v1/instance/service-accounts/default/";
    // A library reads it as text unless its type is JSON.
    const { body } = await ask(lab, "google", { path, query: { recursive: "true" } });
    assertEquals(body as unknown, {
      aliases: ["default"],
      email: "checkout@shop-project.iam.gserviceaccount.com",
      scopes: ["https://www.googleapis.com/auth/cloud-platform"],
    });
  });

  it.inLab("has an access token that says nothing", async (lab) => {
    const path = "/computeMetadata/v1/instance/service-accounts/default/token";
    const { access_token = "", ...others } = (await ask(lab, "google", { path })).body;
    assertEquals(access_token.slice(0, 5), "ya29.");
    assertEquals(others as unknown, { expires_in: 3599, token_type: "Bearer" });
  });

  it.inLab("describes the instance in an identity token only if that is asked", async (lab) => {
    const full = decodeJwt(await tokenFrom(lab, "google", { query: { licenses: "TRUE" } }));
    const short = decodeJwt(await tokenFrom(lab, "google", { query: { format: "standard" } }));
    assertEquals(Object.keys(short).sort(), ["aud", "azp", "exp", "iat", "iss", "sub"]);
    assertEquals([full.azp, full.email_verified], [full.sub, true]);
    const { google } = full as unknown as { google: { compute_engine: Record<string, unknown> } };
    const { project_id, license_id } = google.compute_engine;
    assertEquals([project_id, license_id], ["shop-project", ["1000204"]]);
  });

  itRefusesAt("google", {
    "a request without its header": [
      { headers: { "Metadata-Flavor": undefined } },
      403,
      "Missing Metadata-Flavor:Google header.",
    ],
    "a request through a proxy": [
      { headers: { "X-Forwarded-For": "10.0.0.1" } },
      403,
      "The header X-Forwarded-For is not allowed.",
    ],
    "a token for nobody": [
      { query: { audience: undefined } },
      400,
      "non-empty audience parameter required",
    ],
    "another format": [{ query: { format: "jwt" } }, 400, "The format must be standard or full."],
    "another account": [
      { path: "/computeMetadata/v1/instance/service-accounts/other/identity" },
      404,
      "Not Found",
    ],
    "another method": [{ method: "POST" }, 405, "Only GET is allowed."],
  });
});

describe("The runner of GitHub Actions", () => {
  it.inLab("responds with a token for five minutes about the job", async (lab) => {
    const { body } = await ask(lab, "github");
    const { count, value = "" } = body;
    assertEquals(Number(count), value.length);
    const { sub, repository, workflow_ref, iat = 0, exp = 0, jti } = decodeJwt(value);
    assertEquals([sub, repository, workflow_ref, exp - iat, typeof jti], [
      "repo:octo-org/octo-repo:ref:refs/heads/main",
      "octo-org/octo-repo",
      "octo-org/octo-repo/.github/workflows/deploy.yml@refs/heads/main",
      300,
      "string",
    ]);
  });

  it.inLab("signs for the owner of the repository unless an audience is named", async (lab) => {
    const token = await tokenFrom(lab, "github", { query: { audience: "" } });
    assertEquals(decodeJwt(token).aud, "https://github.com/octo-org");
  });

  itRefusesAt("github", {
    "a request without its token": [
      { headers: { Authorization: undefined } },
      401,
      "The bearer must be ACTIONS_ID_TOKEN_REQUEST_TOKEN.",
    ],
    "another token": [
      { headers: { Authorization: "Bearer other" } },
      401,
      "The bearer must be ACTIONS_ID_TOKEN_REQUEST_TOKEN.",
    ],
    "a second query after the first": [
      { query: { "api-version": "2.0?audience=api" } },
      400,
      "The api-version must be 2.0: append '&audience=' to ACTIONS_ID_TOKEN_REQUEST_URL.",
    ],
  });
});

describe("The TokenRequest API of Kubernetes", () => {
  it.inLab("responds with a token for an hour, bound to a pod", async (lab) => {
    const pod = { apiVersion: "v1", kind: "Pod", name: "checkout-7d9c", uid: "f1a5" };
    const body = { spec: { audiences: ["vault"], boundObjectRef: pod } };
    const response = await ask(lab, "kubernetes", { body });
    // deno-lint-ignore no-explicit-any
    const { kind, spec, status } = response.body as any;
    assertEquals(response.status, 201);
    assertEquals(kind, "TokenRequest");
    assertEquals(spec, { audiences: ["vault"], expirationSeconds: 3600, boundObjectRef: pod });
    assertEquals(status.expirationTimestamp, "2027-01-15T09:00:00Z");
    const { aud, sub, exp, "kubernetes.io": about } = decodeJwt<{ "kubernetes.io": unknown }>(
      status.token,
    );
    assertEquals([aud, sub, exp], [["vault"], "system:serviceaccount:shop:checkout", now + hour]);
    assertEquals(about, {
      namespace: "shop",
      serviceaccount: { name: "checkout", uid: "9d1a3c52-40c8-4d4e-a0e3-6a8f8cf8e1a7" },
      pod: { name: "checkout-7d9c", uid: "f1a5" },
    });
    assertEquals(decodeProtectedHeader(status.token).typ, undefined);
  });

  it.inLab("signs for itself unless audiences are named, as a client in Go sends it", async (lab) => {
    const spec = { audiences: null, expirationSeconds: null, boundObjectRef: null };
    const token = await tokenFrom(lab, "kubernetes", { body: { spec } });
    assertEquals(decodeJwt(token).aud, [`${lab.issuer}/workloads/kubernetes`]);
  });

  itRefusesAt("kubernetes", {
    "a request without a token": [{ headers: { Authorization: undefined } }, 403, "Forbidden"],
    "another token": [{ headers: { Authorization: "Bearer other" } }, 401, "Unauthorized"],
    "another service account": [
      { path: "/api/v1/namespaces/shop/serviceaccounts/other/token" },
      404,
      "NotFound",
    ],
    "the account in another namespace": [
      { path: "/api/v1/namespaces/test/serviceaccounts/checkout/token" },
      404,
      "NotFound",
    ],
    "a shorter time than ten minutes": [
      { body: { spec: { expirationSeconds: 599 } } },
      422,
      "Invalid",
    ],
    "a time as text": [{ body: { spec: { expirationSeconds: "3600" } } }, 400, "BadRequest"],
    "one audience in place of a list": [{ body: { spec: { audiences: "a" } } }, 400, "BadRequest"],
    "another kind": [{ body: { kind: "TokenReview", spec: {} } }, 400, "BadRequest"],
    "a body that is not JSON": [{ body: "spec: {}" }, 400, "BadRequest"],
    "a body of another type": [
      { headers: { "Content-Type": "application/yaml" } },
      415,
      "UnsupportedMediaType",
    ],
    "a token bound to a deployment": [
      { body: { spec: { boundObjectRef: { apiVersion: "apps/v1", kind: "Deployment" } } } },
      400,
      "BadRequest",
    ],
    "another method": [{ method: "PUT" }, 405, "MethodNotAllowed"],
  });
});

describe("What a source of workloads' tokens refuses", () => {
  const html = { Accept: "text/html" };
  const lowerCase = { authorization: "bearer test-only-runner-token", Authorization: undefined };

  it.inLab("is no scheme in lower case, which RFC 9110 allows", async (lab) => {
    assertEquals((await ask(lab, "github", { headers: lowerCase })).status, 200);
    const authorization = "bearer test-only-cluster-token";
    const headers = { Authorization: undefined, authorization };
    const body = { spec: {} };
    assertEquals((await ask(lab, "kubernetes", { headers, body })).status, 201);
  });

  const askWrongly = async (lab: TestLab) => {
    await ask(lab, "azure", { headers: { Metadata: undefined } });
    await ask(lab, "google", { headers: { "X-Forwarded-For": "10.0.0.1" } });
    await ask(lab, "kubernetes", { headers: { Authorization: "Bearer wrong" } });
  };

  it.inLab("is explained as any other refusal", async (lab) => {
    await askWrongly(lab);
    assertEquals(
      lab.requests().map(({ refusal }) => refusal?.description),
      [
        "The metadata service of Azure refuses it: Required metadata header not specified.",
        "The metadata server of Google refuses it: The header X-Forwarded-For is not allowed.",
        "The API of Kubernetes refuses it: Unauthorized.",
      ],
    );
    const explained = await lab.fetch(`${lab.issuer}/lab/flows/request-3`, { headers: html });
    assertMatch(await explained.text(), /<h1[^>]*>[^]*Refused[^]*Unauthorized/);
  });

  it.inLab("is in the report as any other refusal", needs("report"), async (lab) => {
    await askWrongly(lab);
    assertEquals(lab.report().refused.map(({ where }) => where.request), [
      "GET /metadata/identity/oauth2/token",
      "GET /computeMetadata/v1/instance/service-accounts/default/identity",
      "POST /api/v1/namespaces/shop/serviceaccounts/checkout/token",
    ]);
  });

  it.inLab("is no token at the lab's own endpoint: an undefined variable is no JWT", async (lab) => {
    const form = { grant_type: jwtBearerGrantType, assertion: "undefined" };
    const body = new URLSearchParams(form);
    await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body });
    const { rule, received, expected } = lab.requests().at(-1)?.refusal ?? {};
    assertEquals([rule, received, expected], [
      ...["workload.issuer", "no JWT", "a JWT of a trusted issuer"],
    ]);
  });
});
