import { assertEquals } from "@std/assert";
import { it } from "node:test";
import { add as addClient, disable as disableClient } from "../../src/administration/clients.ts";
import * as users from "../../src/administration/users.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { featureFixtures, featureSettings, flowGrantTypes } from "../features.ts";
import { basic, type Fields, type Kit, openStrictKit, read, type ReadResponse } from "./kit.ts";

/** What the tests of such cases are about. */
export const outsideLabs =
  "Outside a lab, what an attacker could use to tell cases apart (OAuth 2.1, section 7.3)";

/** What a server that is no lab says in a case. */
export type Case = (kit: Kit) => Promise<ReadResponse>;

/** Cases that nobody may tell apart, by the rule that the log names; a number sets two apart. */
export type Cases = Readonly<Record<string, Case>>;

export const issuer = "https://hallpass.test";
const redirectUris = [`${issuer}/authorized`];
export const api = "https://api.example";
export const secret = "a-secret-with-more-than-32-characters";
export const confidential = basic("confidential", secret);
export const day = 24 * 60 * 60;

const clients: ClientConfig[] = [
  { id: "demo-spa", redirectUris },
  { id: "other-spa", redirectUris },
  { id: "confidential", secret, redirectUris },
  ...featureFixtures.flatMap((each) => each.clients ?? []),
];

/** Opens a server as `hallpass serve` runs it, with a user and a client in its store. */
async function openServer(more: readonly ClientConfig[]): Promise<Kit> {
  const kit = openStrictKit({
    clients: [...clients, ...more],
    grantTypes: [...flowGrantTypes],
    resources: [api],
    scopes: { openid: "Know you", profile: "See your profile", read: "Read" },
    ...featureSettings,
  });
  await users.add(kit.server.context, { name: "dora", password: "dora dora" });
  await addClient(kit.server.context, { id: "stored", secret, redirectUris });
  await disableClient(kit.server.context, "stored");
  return kit;
}

/** A user of the store. */
export const dora = { user: "dora", password: "dora dora" };
export const removeDora = (kit: Kit) => users.remove(kit.server.context, "dora");

/** Gets a token, and uses it after something has happened. */
export function used(
  use: (token: string) => Case,
  act: (kit: Kit) => unknown = () => {},
  asked: Fields = {},
): Case {
  return async (kit) => {
    const { access_token } = await kit.tokens(asked, dora);
    await act(kit);
    return await use(access_token)(kit);
  };
}

export const lateForToken = (kit: Kit) => kit.clock.advance(2 * 60 * 60);

/** Tests that cases look the same on the wire, on a server with these clients besides its own. */
export function itLooksTheSame(
  what: string,
  cases: Cases,
  more: readonly ClientConfig[] = [],
): void {
  it(`looks the same on the wire, and is named in the log: ${what}`, async () => {
    const seen: Array<[name: string, onWire: string]> = [];
    for (const [name, play] of Object.entries(cases)) {
      const kit = await openServer(more);
      seen.push([name, onTheWire(await play(kit))]);
      const [rule = ""] = name.split(" ");
      if (rule.includes(".")) assertEquals(lastReason(kit), rule, name);
    }
    const [[, first] = []] = seen;
    assertEquals(seen, seen.map(([name]) => [name, first]));
  });
}

/** Returns everything that a client sees, without what is new in each response. */
function onTheWire({ status, headers, text }: ReadResponse): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${withoutSecrets(value)}`);
  return [status, ...lines.sort(), withoutSecrets(text)].join("\n");
}

function withoutSecrets(text: string): string {
  return text.replace(/[\w-]{43}/g, "SECRET")
    .replace(/(<dd id="request">)[0-9a-f]{16}/, "$1REQUEST");
}

/** Returns why the log says that the last request was refused: its rule, or a failed attempt. */
function lastReason({ events }: Kit): string | undefined {
  const reasons = events.flatMap((event) => {
    if (event.type === "request.refused") return [event.rule];
    return event.type === "sign_in.failed" || event.type === "user_code.refused"
      ? [event.type]
      : [];
  });
  return reasons.at(-1);
}

/** Signs in with a form, and returns the page that comes back. */
function signIn(
  start: (kit: Kit) => string,
  username: string,
  act: (kit: Kit) => unknown = () => {},
): Case {
  return async (kit) => {
    await act(kit);
    const browser = kit.browser();
    const page = await browser.open(start(kit));
    const { status, headers, html } = await browser.signIn(
      page,
      username,
      username === "nobody" ? "nobody" : dora.password,
    );
    return { status, headers, text: html.replaceAll(username, "USER"), body: {} as never };
  };
}

/** Everything that may be wrong with what a user signs in with. */
export function signIns(start: (kit: Kit) => string): Cases {
  return {
    "sign_in.failed 1": signIn(start, "nobody"),
    "sign_in.failed 2": signIn(start, "alice"),
    "sign_in.failed 3": signIn(start, "dora", (kit) => users.disable(kit.server.context, "dora")),
    "sign_in.failed 4": signIn(start, "dora", removeDora),
  };
}

/** Opens a page in a new browser. */
export async function openIn(kit: Kit, url: string): Promise<ReadResponse> {
  return await read(await kit.browser().request(url));
}
