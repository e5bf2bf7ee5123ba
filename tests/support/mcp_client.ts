import type { TestLab } from "../../src/lab/testing/mod.ts";
import { callMcpTool } from "./mcp.ts";
import { encode, type RequestHeaders, testClient, verifier } from "./test_client.ts";

const redirectUri = "http://localhost:3000/callback";

/** What a client of the Model Context Protocol checks. */
export interface McpCare {
  /** Whether it compares the resource, the issuer and the state, and requires PKCE. */
  checks: boolean;
  /** How often it asks for more scopes before it gives up. */
  maxStepUps: number;
  /** What it registers as. */
  applicationType?: string;
}

/** What a client knows about an authorization server. */
interface KnownServer {
  issuer: string;
  metadata: Record<string, unknown>;
  clientId: string;
}

/** Calls a tool as a client that knows nothing but a URL. Rejects if it does not get that far. */
export async function connectMcp(lab: TestLab, care: McpCare): Promise<void> {
  const resource = `${lab.issuer}/mcp`;
  const refused = await callMcpTool(lab, "whoami");
  const server = await findServer(lab, resource, refused.challenge, care);
  let scope = /scope="([^"]*)"/.exec(refused.challenge)?.[1] ?? "read";
  for (let stepUps = 0; stepUps <= care.maxStepUps; stepUps++) {
    const token = await getToken(lab, server, { scope, resource, care });
    const reply = await callMcpTool(lab, "whoami", { token });
    if (reply.status === 200) return;
    const more = /scope="([^"]*)"/.exec(reply.challenge)?.[1];
    if (reply.status !== 403 || more === undefined) break;
    scope = [...new Set(`${scope} ${more}`.split(" "))].join(" ");
  }
  throw new Error("The tool could not be called.");
}

async function findServer(
  lab: TestLab,
  resource: string,
  challenge: string,
  care: McpCare,
): Promise<KnownServer> {
  const named = /resource_metadata="([^"]*)"/.exec(challenge)?.[1];
  const places = wellKnown(resource, ["oauth-protected-resource"]);
  const described = await firstFound(lab, named === undefined ? places : [named]);
  if (care.checks && described.resource !== resource) throw new Error("Another resource.");
  const [issuer = new URL(resource).origin] = (described.authorization_servers ?? []) as string[];
  const metadata = await firstFound(
    lab,
    wellKnown(issuer, ["oauth-authorization-server", "openid-configuration"]),
  );
  if (care.checks && metadata.issuer !== issuer) throw new Error("Another issuer.");
  if (care.checks && !metadata.code_challenge_methods_supported) throw new Error("No PKCE.");
  return { issuer, metadata, clientId: await register(lab, metadata, care) };
}

/** Returns the places of metadata, those below the path of a URL first. */
function wellKnown(url: string, names: readonly string[]): string[] {
  const { origin, pathname } = new URL(url);
  const paths = pathname === "/" ? [""] : [pathname, ""];
  return names.flatMap((name) => paths.map((path) => `${origin}/.well-known/${name}${path}`));
}

async function firstFound(lab: TestLab, urls: readonly string[]): Promise<Record<string, unknown>> {
  for (const url of urls) {
    const response = await lab.fetch(url);
    if (response.ok) return await response.json();
    await response.body?.cancel();
  }
  throw new Error("There is no metadata.");
}

async function register(
  lab: TestLab,
  metadata: Record<string, unknown>,
  { applicationType: application_type }: McpCare,
): Promise<string> {
  const own = {
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
    application_type,
  };
  const headers = { "Content-Type": "application/json" };
  return (await post(lab, metadata.registration_endpoint, JSON.stringify(own), headers)).client_id;
}

interface TokenWish {
  scope: string;
  resource: string;
  care: McpCare;
}

async function getToken(
  lab: TestLab,
  { issuer, metadata, clientId: client_id }: KnownServer,
  { scope, resource, care }: TokenWish,
): Promise<string> {
  const shared = { client_id, redirect_uri: redirectUri, resource };
  const query = encode(testClient({ scope }).parameters({ issuer }, shared));
  const url = `${metadata.authorization_endpoint}?${query}`;
  const { parameters } = await lab.authorize(url, { user: "alice" });
  if (care.checks && parameters.state !== "a-state") throw new Error("Another state.");
  if (care.checks && parameters.iss !== issuer) throw new Error("Another issuer.");
  const grant = {
    grant_type: "authorization_code",
    code: parameters.code,
    code_verifier: verifier,
  };
  return (await post(lab, metadata.token_endpoint, encode({ ...shared, ...grant }))).access_token;
}

/** Returns the JSON of a successful response. */
async function post(lab: TestLab, url: unknown, body: BodyInit, headers: RequestHeaders = {}) {
  const response = await lab.fetch(`${url}`, { method: "POST", headers, body });
  const { error_description, ...json } = await response.json();
  if (!response.ok) throw new Error(error_description);
  return json;
}
