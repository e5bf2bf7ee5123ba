import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { jwtBearerGrantType } from "../../../../src/server/protocol/grant_types.ts";

/** What a test changes about a request to a source; a header that is undefined is left out. */
export interface SourceRequest {
  path?: string;
  method?: string;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

/** A valid request to each source, for a token with the audience that the lab wants. */
export const valid = {
  azure: {
    path: "/metadata/identity/oauth2/token",
    query: { "api-version": "2018-02-01", resource: audienceOf },
    headers: { Metadata: "true" },
  },
  appService: {
    path: "/msi/token",
    query: { "api-version": "2019-08-01", resource: audienceOf },
    headers: { "X-IDENTITY-HEADER": "test-only-identity-header" },
  },
  google: {
    path: "/computeMetadata/v1/instance/service-accounts/default/identity",
    query: { audience: audienceOf, format: "full" },
    headers: { "Metadata-Flavor": "Google" },
  },
  github: {
    path: "/workloads/github/idtoken",
    query: { "api-version": "2.0", audience: audienceOf },
    headers: { Authorization: "Bearer test-only-runner-token" },
  },
  kubernetes: {
    path: "/api/v1/namespaces/shop/serviceaccounts/checkout/token",
    method: "POST",
    query: {},
    headers: {
      Authorization: "Bearer test-only-cluster-token",
      "Content-Type": "application/json",
    },
  },
} as const;

export type Source = keyof typeof valid;

export function audienceOf(lab: Pick<TestLab, "issuer">): string {
  return `${lab.issuer}/oauth2/token`;
}

/** Sends a valid request to a source, with changes. */
export async function ask(
  lab: TestLab,
  source: Source,
  { path, method, query, headers, body }: SourceRequest = {},
): Promise<{ status: number; headers: Headers; text: string; body: Record<string, string> }> {
  const from = valid[source];
  const url = new URL(`${lab.issuer}${path ?? from.path}`);
  for (const [name, value] of Object.entries({ ...from.query, ...query })) {
    if (value !== undefined) {
      url.searchParams.set(name, typeof value === "function" ? value(lab) : value);
    }
  }
  const sent = source === "kubernetes" ? body ?? { spec: { audiences: [audienceOf(lab)] } } : body;
  const response = await lab.fetch(url, {
    method: method ?? ("method" in from ? from.method : "GET"),
    headers: given({ ...from.headers, ...headers }),
    ...sent !== undefined && { body: typeof sent === "string" ? sent : JSON.stringify(sent) },
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type") === "application/json";
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : {},
  };
}

/** Gets a token from a source. */
export async function tokenFrom(
  lab: TestLab,
  source: Source,
  request: SourceRequest = {},
): Promise<string> {
  const { text, body } = await ask(lab, source, request);
  // deno-lint-ignore no-explicit-any
  return (body as any).status?.token ?? body.access_token ?? body.value ?? text;
}

/** Presents a token at the token endpoint of the lab. */
export async function present(
  lab: TestLab,
  assertion: string,
): Promise<{ status: number; body: Record<string, string> }> {
  const body = new URLSearchParams({ grant_type: jwtBearerGrantType, assertion });
  const response = await lab.fetch(audienceOf(lab), { method: "POST", body });
  return { status: response.status, body: await response.json() };
}

function given(headers: Record<string, string | undefined>): Record<string, string> {
  return JSON.parse(JSON.stringify(headers));
}
