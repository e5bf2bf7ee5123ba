import { hallpass, type HallpassOptions, type TestLab } from "../../../src/lab/testing/mod.ts";
import {
  idJagTokenType,
  jwtBearerGrantType,
  tokenExchangeGrantType,
} from "../../../src/server/protocol/grant_types.ts";
import { sha256 } from "../../../src/server/util/crypto/hash.ts";
import { idTokenType } from "../../support/enterprise.ts";
import { basic, type Fields, type RequestHeaders } from "../../support/flow_kit.ts";
import { callMcpTool, type McpReply } from "../../support/mcp.ts";
import { testClient } from "../../support/test_client.ts";

/** What a token endpoint sends. */
export interface TokenReply {
  status: number;
  // deno-lint-ignore no-explicit-any
  body: any;
}

/** The client of an enterprise, at the company and at the MCP server. */
export const agent: Record<string, string> = basic("agent", "agent-secret");
export const agentAtMcp: Record<string, string> = basic("agent-at-mcp", "agent-at-mcp-secret");

/** A lab of an enterprise, and what the client does in it. */
export interface EnterpriseLab extends AsyncDisposable {
  lab: TestLab;
  company: TestLab;
  /** Signs an employee in, and returns the tokens of the company. */
  signIn(user: string): Promise<TokenReply["body"]>;
  /** Requests an ID-JAG. */
  exchange(idToken: string, changes?: Fields): Promise<TokenReply>;
  /** Redeems an ID-JAG. */
  redeem(
    assertion: string,
    changes?: Fields,
    headers?: Record<string, string>,
  ): Promise<TokenReply>;
  /** Signs an employee in, and returns an access token for the MCP server. */
  accessToken(user: string): Promise<string>;
  /** Goes the whole way, to a call of a tool. */
  call(user: string, tool: string): Promise<McpReply>;
}

const redirectUri = "http://localhost:8765/callback";

/** Opens a lab of an enterprise. */
export async function openEnterpriseLab(options: HallpassOptions = {}): Promise<EnterpriseLab> {
  const lab = await hallpass({ issuer: "http://localhost:9000", enterprise: true, ...options });
  const company = lab.provider("company");
  let count = 0;

  const send = (issuer: string, fields: Fields, headers: RequestHeaders) =>
    testClient().token({ ...lab, issuer }, fields, headers);

  const opened: EnterpriseLab = {
    lab,
    company,
    async signIn(user) {
      const codeVerifier = `${++count}`.padStart(43, "v");
      const query = new URLSearchParams({
        response_type: "code",
        client_id: "agent",
        redirect_uri: redirectUri,
        scope: "openid",
        state: `state-${count}`,
        code_challenge: await sha256(codeVerifier),
        code_challenge_method: "S256",
        login_hint: user,
      });
      const url = `${company.issuer}/oauth2/authorize?${query}`;
      const { headers } = await lab.fetch(url, { redirect: "manual" });
      const code = new URL(headers.get("Location") ?? "").searchParams.get("code") ?? "";
      const fields = {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      };
      return (await send(company.issuer, fields, agent)).body;
    },
    exchange: (idToken, changes = {}) =>
      send(company.issuer, {
        grant_type: tokenExchangeGrantType,
        requested_token_type: idJagTokenType,
        subject_token: idToken,
        subject_token_type: idTokenType,
        audience: lab.issuer,
        resource: `${lab.issuer}/mcp`,
        ...changes,
      }, agent),
    redeem: (assertion, changes = {}, headers = agentAtMcp) =>
      send(lab.issuer, { grant_type: jwtBearerGrantType, assertion, ...changes }, headers),
    async accessToken(user) {
      const { id_token } = await opened.signIn(user);
      const { access_token } = (await opened.exchange(id_token)).body;
      return (await opened.redeem(access_token)).body.access_token;
    },
    call: async (user, tool) =>
      await callMcpTool(lab, tool, { token: await opened.accessToken(user) }),
    [Symbol.asyncDispose]: () => lab.close(),
  };
  return opened;
}
