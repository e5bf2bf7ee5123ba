import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { assertionType } from "../../support/client_key.ts";
import { idTokenType, refreshTokenType } from "../../support/enterprise.ts";
import { basic } from "../../support/kit.ts";
import { sendMcp } from "../../support/mcp.ts";
import { agent, agentAtMcp, type EnterpriseLab, type TokenReply } from "./enterprise_lab.ts";

export const issuer = "http://localhost:9000";
export const there = `${issuer}/t/company`;

/** The tokens that an employee and the client have in the end. */
export interface Loot {
  idToken: string;
  companyToken: string;
  companyRefreshToken: string;
  idJag: string;
  mcpToken: string;
}

/** Goes the whole way once, but redeems another ID-JAG than the one that is returned. */
export async function gather(open: EnterpriseLab, user = "alice"): Promise<Loot> {
  const tokens = await open.signIn(user);
  const idJag = async () => (await open.exchange(tokens.id_token)).body.access_token;
  return {
    idToken: tokens.id_token,
    companyToken: tokens.access_token,
    companyRefreshToken: tokens.refresh_token,
    idJag: await idJag(),
    mcpToken: (await open.redeem(await idJag())).body.access_token,
  };
}

async function post(
  lab: TestLab,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenReply> {
  const body = new URLSearchParams(fields);
  const response = await lab.fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : {} };
}

export async function userinfo(lab: TestLab, at: string, token: string): Promise<TokenReply> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await lab.fetch(`${at}/oauth2/userinfo`, { headers });
  return { status: response.status, body: {} };
}

export async function introspect(lab: TestLab, at: string, token: string): Promise<TokenReply> {
  const headers = at === there ? agent : basic("demo-service", "demo-service-secret");
  const { body } = await post(lab, `${at}/oauth2/introspect`, { token }, headers);
  return { status: body.active ? 200 : 400, body };
}

type Attack = (open: EnterpriseLab, loot: Loot) => Promise<{ status: number }>;

const subject = (token: string, type: string) => ({
  grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
  subject_token: token,
  subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
});

const clientAssertion = (jwt: string) => ({
  grant_type: "client_credentials",
  client_assertion_type: assertionType,
  client_assertion: jwt,
});

/** Every use of a token at a server that it is not for. */
export const misuses: Array<[title: string, attack: Attack]> = [
  ...(["idToken", "companyToken", "companyRefreshToken", "idJag"] as const).flatMap((
    name,
  ): Array<[string, Attack]> => [
    [`${name} at the MCP server`, ({ lab }, loot) => sendMcp(lab, { token: loot[name] })],
    [`${name} at userinfo here`, ({ lab }, loot) => userinfo(lab, issuer, loot[name])],
    [`${name} at introspection here`, ({ lab }, loot) => introspect(lab, issuer, loot[name])],
    [
      `${name} as a refresh token here`,
      ({ lab }, loot) =>
        post(
          lab,
          `${issuer}/oauth2/token`,
          { grant_type: "refresh_token", refresh_token: loot[name] },
          agentAtMcp,
        ),
    ],
    ...["access_token", "id_token", "jwt", "id-jag"].map((type): [string, Attack] => [
      `${name} as ${type} to exchange here`,
      ({ lab }, loot) =>
        post(
          lab,
          `${issuer}/oauth2/token`,
          subject(loot[name], type),
          basic("demo-service", "demo-service-secret"),
        ),
    ]),
    [
      `${name} as a client assertion here`,
      ({ lab }, loot) => post(lab, `${issuer}/oauth2/token`, clientAssertion(loot[name])),
    ],
  ]),
  ...(["idToken", "companyToken", "companyRefreshToken"] as const).map((name): [string, Attack] => [
    `${name} as an assertion`,
    ({ redeem }, loot) => redeem(loot[name]),
  ]),
  ["the token for the MCP server as an assertion", ({ redeem }, { mcpToken }) => redeem(mcpToken)],
  ...[idTokenType, refreshTokenType].flatMap((subject_token_type): Array<[string, Attack]> => [
    [
      `the token for the MCP server as ${subject_token_type} at the company`,
      ({ exchange }, { mcpToken }) => exchange(mcpToken, { subject_token_type }),
    ],
    [
      `the ID-JAG as ${subject_token_type} at the company`,
      ({ exchange }, { idJag }) => exchange(idJag, { subject_token_type }),
    ],
    [
      `an access token of the company as ${subject_token_type}`,
      ({ exchange }, { companyToken }) => exchange(companyToken, { subject_token_type }),
    ],
  ]),
  [
    "the token for the MCP server at userinfo of the company",
    ({ lab }, { mcpToken }) => userinfo(lab, there, mcpToken),
  ],
  [
    "the token for the MCP server at introspection of the company",
    ({ lab }, { mcpToken }) => introspect(lab, there, mcpToken),
  ],
  ["the ID-JAG at userinfo of the company", ({ lab }, { idJag }) => userinfo(lab, there, idJag)],
  [
    "the ID-JAG at introspection of the company",
    ({ lab }, { idJag }) => introspect(lab, there, idJag),
  ],
  [
    "the ID-JAG as a client assertion at the company",
    ({ lab }, { idJag }) => post(lab, `${there}/oauth2/token`, clientAssertion(idJag)),
  ],
  [
    "the ID-JAG as an assertion at the company",
    ({ lab }, { idJag }) =>
      post(lab, `${there}/oauth2/token`, {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: idJag,
      }, agent),
  ],
];
