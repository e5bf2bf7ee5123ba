import {
  idJagTokenType,
  jwtBearerGrantType,
  tokenExchangeGrantType,
} from "../../../../server/protocol/grant_types.ts";
import { issuerUrl } from "../../../../server/protocol/issuer_url.ts";
import { sha256 } from "../../../../server/util/crypto/hash.ts";
import { shellQuote } from "../../../../server/util/text/shell_quote.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { requireEndpointUrl } from "../../../dialect/lab_endpoints.ts";
import { companyId } from "../../../recording/tenant_client.ts";
import { idJagScopes } from "../../token_exchange/demo.ts";
import type { EnterpriseSetting } from "../config.ts";
import { companyClient, type EnterpriseClient, mcpClient } from "./enterprise_parties.ts";

const idTokenType = "urn:ietf:params:oauth:token-type:id_token";

/** An enterprise, as the terminal and the home page show it. */
export interface DescribedEnterprise {
  /** The issuer of the company's identity provider. */
  company: string;
  /** The home page of the identity provider. */
  page: string;
  employees: readonly DescribedEmployee[];
  /** The client, by the server that knows it so. */
  clients: { company: EnterpriseClient; mcp: EnterpriseClient };
  /** The way from a sign-in to a call of a tool; empty without an employee who may do that. */
  walk: readonly WalkStep[];
}

/** An employee of the company, and what its policy allows at the MCP server. */
interface DescribedEmployee {
  name: string;
  /** The scopes that an ID-JAG may have; without any, none is issued. */
  scopes: readonly string[];
}

/** A step of the walk through an enterprise, as a line for a shell. */
interface WalkStep {
  title: string;
  /** The line. Each leaves in a variable what the next one needs. */
  command: string;
}

export async function describeEnterprise(lab: CoreLab): Promise<DescribedEnterprise | undefined> {
  if (
    !lab.settings.config<EnterpriseSetting>().enterprise || !lab.tenants.ids().includes(companyId)
  ) return undefined;
  const company = lab.tenants.find(companyId);
  const client = company.clients.list().find(({ id }) => id === companyClient.id);
  const policy = client ? idJagScopes(client) : {};
  const employees = company.users.list()
    .map(({ name }) => ({ name, scopes: policy[name] ?? [] }));
  const first = employees.find(({ scopes }) => scopes.length > 0);
  return {
    company: company.issuer,
    page: `${company.context.settings.frontChannelUrl}/`,
    employees,
    clients: { company: companyClient, mcp: mcpClient },
    walk: first ? await enterpriseWalk(lab, first.name) : [],
  };
}

/** Returns the way from a sign-in at the company to a call of a tool, as lines for a shell. */
async function enterpriseWalk(lab: CoreLab, user: string): Promise<WalkStep[]> {
  const company = lab.tenants.find(companyId);
  const there = requireEndpointUrl(company, "token_endpoint");
  const here = requireEndpointUrl(lab, "token_endpoint");
  const mcp = issuerUrl(lab.context.settings.frontChannelUrl, "/mcp");
  const codeVerifier = randomText();
  const redirectUri = issuerUrl(company.context.settings.frontChannelUrl, "/authorized");
  const authorizationUrl = await signInUrl(company, { user, redirectUri, codeVerifier });
  const location = `curl -s -o /dev/null -w '%{redirect_url}' ${shellQuote(authorizationUrl)}`;
  return [
    {
      title: `${user} signs in at the company, as a login_hint does without a page`,
      command: `CODE=$(${location} | sed 's/.*[?&]code=\\([^&]*\\).*/\\1/')`,
    },
    {
      title: "The client gets an ID token",
      command: keepMember(
        "ID_TOKEN",
        "id_token",
        tokenRequest(there, companyClient, {
          grant_type: "authorization_code",
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
          code: "$CODE",
        }),
      ),
    },
    {
      title: "The company issues an ID-JAG for the MCP server",
      command: keepMember(
        "ID_JAG",
        "access_token",
        tokenRequest(there, companyClient, {
          grant_type: tokenExchangeGrantType,
          requested_token_type: idJagTokenType,
          subject_token_type: idTokenType,
          audience: lab.issuer,
          resource: issuerUrl(lab.issuer, "/mcp"),
          subject_token: "$ID_TOKEN",
        }),
      ),
    },
    {
      title: "The authorization server of the MCP server redeems it",
      command: keepMember(
        "TOKEN",
        "access_token",
        tokenRequest(here, mcpClient, {
          grant_type: jwtBearerGrantType,
          assertion: "$ID_JAG",
        }),
      ),
    },
    { title: "The client calls a tool", command: toolCall(mcp) },
  ];
}

async function signInUrl(
  company: CoreLab,
  { user, redirectUri, codeVerifier }: { user: string; redirectUri: string; codeVerifier: string },
): Promise<string> {
  const url = new URL(requireEndpointUrl(company, "authorization_endpoint"));
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: companyClient.id,
    redirect_uri: redirectUri,
    scope: "openid",
    state: randomText(),
    code_challenge: await sha256(codeVerifier),
    code_challenge_method: "S256",
    login_hint: user,
  }).toString();
  return url.href;
}

/** A value that begins with `$` is a variable of the shell. */
function tokenRequest(
  url: string,
  { id, secret }: EnterpriseClient,
  fields: Readonly<Record<string, string>>,
): string {
  const options = Object.entries(fields).map(([name, value]) =>
    value.startsWith("$") ? `-d "${name}=${value}"` : `-d ${shellQuote(`${name}=${value}`)}`
  );
  return `curl -s ${shellQuote(url)} -u ${id}:${secret} ${options.join(" ")}`;
}

/** Keeps a token in a variable, and shows it; or the error in its place. */
function keepMember(variable: string, member: string, command: string): string {
  const extract = `sed 's/.*"${member}":"\\([^"]*\\)".*/\\1/'`;
  return `${variable}=$(${command} | ${extract}); echo "$${variable}"`;
}

function toolCall(url: string): string {
  const headers = [
    `-H "Authorization: Bearer $TOKEN"`,
    "-H 'Content-Type: application/json'",
    "-H 'Accept: application/json, text/event-stream'",
    "-H 'MCP-Protocol-Version: 2025-11-25'",
  ];
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami" } };
  return `curl -s ${shellQuote(url)} ${headers.join(" ")} -d '${JSON.stringify(call)}'`;
}

/** The walk takes no random value of a lab with a seed. */
function randomText(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`;
}
