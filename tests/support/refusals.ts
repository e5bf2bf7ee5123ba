import { assertEquals, assertStringIncludes } from "@std/assert";
import { it } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { ruleCatalogue } from "../../src/lab/util/rule_catalogue.ts";
import { type ErrorCode, OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { type Fields, type Kit, openKit, read, type RequestHeaders } from "./kit.ts";
import { present } from "./present.ts";

/**
 * What a client does; its last request breaks a rule. It may return a request that must succeed
 * afterwards: the proof that the refusal spent nothing.
 */
export type Play<Own = Kit> = (kit: Own) => unknown;

/** What breaks one rule. */
export type PlayedRow<Own = Kit> = Play<Own> | PlayInSettings<Own>;

/** What breaks a rule that applies where a setting of the server asks for it. */
export interface PlayInSettings<Own = Kit> {
  settings: Partial<LabConfig>;
  play: Play<Own>;
}

/**
 * What is refused, by the titles of the tests: the rule that each request breaks, the request, and
 * words of the description, where one rule covers many cases.
 */
export type Refusals<Own = Kit> = Readonly<Record<string, Refusal<Own>>>;

type Refusal<Own> = readonly [rule: string, row: PlayedRow<Own>, words?: string];

interface RefusalOptions<Own> {
  settings?: Partial<LabConfig>;
  /** Opens the server. Default: the one of a lab. */
  open?(settings: Partial<LabConfig>): Own | Promise<Own>;
  /** The status, where the endpoint decides it: an API responds with 401 to a bad proof. */
  status?: number;
}

/** Makes rows of a table whose cases differ in less than a whole request. */
export function toRows<Case, Own = Kit>(
  table: Readonly<Record<string, Case>>,
  toRow: (each: Case) => Refusal<Own>,
): Refusals<Own> {
  return Object.fromEntries(Object.entries(table).map(([title, each]) => [title, toRow(each)]));
}

/** The status of rules where it does not follow from the error. */
const statusOfRule: Readonly<Record<string, number>> = {
  "auth_req_id.allowed": 400,
  "body.size": 413,
  "device_code.allowed": 400,
  "limit.backchannel_requests": 429,
  "limit.guesses": 429,
  "request.method": 405,
};

/**
 * Adds a test for each row: its last request breaks this rule and no earlier one, and the response
 * has the error of the rule, its status, and no more members than any error.
 */
export function itRefuses<Own extends Kit = Kit>(
  refusals: Refusals<Own>,
  options: RefusalOptions<Own> = {},
): void {
  const { settings, open = openKit as () => Own, status } = options;
  for (const [title, [id, row, words = ""]] of Object.entries(refusals)) {
    const error = errorOf(id);
    it(`${title}: ${error} (${id})`, async () => {
      const { play, settings: own } = inSettings(row);
      const kit = await open({ ...settings, ...own });
      const lastResponse = noteResponses(kit);
      const retry = await play(kit);
      assertEquals(brokenRule(kit), id);
      const expected = {
        error,
        status: status ?? statusOfRule[id] ?? new OAuthError(error, "").status,
      };
      const description = await assertError(kit, present(lastResponse()), expected);
      assertStringIncludes(description, words);
      if (typeof retry === "function") assertEquals((await retry()).status, 200);
    });
  }
}

export function inSettings<Own>(row: PlayedRow<Own>): PlayInSettings<Own> {
  return typeof row === "function" ? { play: row, settings: {} } : row;
}

function errorOf(id: string): ErrorCode {
  const rule = ruleCatalogue.rules.find((rule) => rule.id === id);
  if (rule === undefined) throw new Error(`The catalogue has no rule '${id}'.`);
  return rule.error;
}

function noteResponses({ server }: Kit): () => Response | undefined {
  let last: Response | undefined;
  const { fetch } = server;
  const noting = async (request: Request) => (last = await fetch(request)).clone();
  Object.assign(server, { fetch: noting });
  return () => last;
}

/** Returns the rule that the last refused request broke. */
export function brokenRule({ events }: Kit): string | undefined {
  const refused = events.filter((event) => event.type === "request.refused");
  return refused.at(-1)?.rule;
}

interface ExpectedError {
  error: ErrorCode;
  status: number;
}

async function assertError(
  { issuer }: Kit,
  response: Response,
  { error, status }: ExpectedError,
): Promise<string> {
  const { headers } = response;
  const location = headers.get("Location");
  if (location !== null) {
    const members = Object.fromEntries(new URL(location).searchParams);
    assertEquals([response.status, members.error, members.iss], [303, error, issuer]);
    assertEquals(Object.keys(members).toSorted(), ["error", "error_description", "iss", "state"]);
    return members.error_description ?? "";
  }
  const { text, body } = await read(response);
  const hasChallenge = status === 401 || error === "insufficient_scope";
  assertEquals([response.status, headers.has("WWW-Authenticate")], [status, hasChallenge]);
  if (text === "" || headers.get("Content-Type")?.startsWith("text/html")) return text;
  assertEquals([body.error, headers.get("Cache-Control")], [error, "no-store"]);
  assertEquals(Object.keys(body), ["error", "error_description"]);
  return body.error_description;
}

/** Sends an authorization request. */
export function ask(changes: Fields): Play {
  return (kit) => kit.ask(changes);
}

/** Sends a form. */
export function post(path: string, fields: Fields, headers?: RequestHeaders): Play {
  return (kit) => kit.sendForm(path, fields, headers);
}

/** Sends a token request. */
export function token(fields: Fields, headers?: RequestHeaders): Play {
  return (kit) => kit.token({ grant_type: "client_credentials", ...fields }, headers);
}

/** Redeems a fresh code with changes. Without them, the code is still worth tokens. */
export function redeeming(changes: Fields, headers?: RequestHeaders, asked?: Fields): Play {
  return async (kit) => {
    const code = await kit.code(asked);
    await kit.redeem(code, changes, headers);
    return () => kit.redeem(code);
  };
}

/** Uses a fresh refresh token with changes. Without them, it is still worth tokens. */
export function refreshing(changes: Fields, headers?: RequestHeaders, asked?: Fields): Play {
  return async (kit) => {
    const { refresh_token } = await kit.tokens(asked);
    await kit.refresh(refresh_token, changes, headers);
    return () => kit.refresh(refresh_token);
  };
}
