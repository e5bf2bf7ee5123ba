import type { Browser } from "../../tests/support/browser.ts";
import { everyFlow, tokenByAssertion, userPassword, web } from "../../tests/support/every_flow.ts";
import type { FlowKit, ReadResponse } from "../../tests/support/kit.ts";
import { present } from "../../tests/support/present.ts";
import type { SoakedServer } from "./soaked_server.ts";

/** How many users send requests at once. */
export interface LoadUsers {
  /** These stay signed in. */
  withSession: number;
  /** These go through every flow in turn, and sign in each time. */
  withEveryFlow: number;
}

/** The server remembers so many verified tokens. */
const rememberedTokens = 1000;

/** Fills what the server remembers up to a limit: until then, it would seem to grow. */
export async function fillCaches(server: SoakedServer): Promise<void> {
  const kit = server.kit("203.0.113.200");
  let left = rememberedTokens;
  const fill = async () => {
    while (left-- > 0) {
      const { body } = expectOk(await tokenByAssertion(kit));
      await drain(kit.post("/oauth2/introspect", { token: body.access_token }, web));
    }
  };
  await Promise.all(Array.from({ length: 8 }, fill));
}

/** Goes through flows until `isOver`, at least once, and returns how many it were. */
export type SendLoad = (isOver: () => boolean) => Promise<number>;

/** Creates a load of what users and clients send, right and wrong. */
export function createMixedLoad(server: SoakedServer, users: LoadUsers): SendLoad {
  const sessions = Array.from({ length: users.withSession }, (_, n) => {
    const kit = server.kit(`198.51.100.${n + 1}`);
    const browser = kit.browser();
    return () => useSession(kit, browser);
  });
  const flows = Array.from({ length: users.withEveryFlow }, (_, n) => {
    const kit = server.kit(`203.0.113.${n + 1}`);
    const nextFlow = inTurn(Object.values(everyFlow), n);
    return () => nextFlow()(kit);
  });
  return async (isOver) => {
    let count = 0;
    const repeat = async (act: () => Promise<unknown>) => {
      do {
        await act();
        count++;
      } while (!isOver());
    };
    await Promise.all([...sessions, ...flows].map(repeat));
    return count;
  };
}

/** Gets tokens with a session, uses them, and makes every mistake. */
async function useSession(kit: FlowKit, browser: Browser): Promise<void> {
  const callback = await kit.authorize({}, { password: userPassword }, browser);
  const code = present(callback.get("code"));
  const { body: tokens } = expectOk(await kit.redeem(code));
  const token = tokens.access_token;
  await drain(kit.get("/oauth2/userinfo", { Authorization: `Bearer ${token}` }));
  await drain(kit.post("/oauth2/introspect", { token }, web));
  expectOk(await refresh(kit, tokens.refresh_token));
  await sendMistakes(kit, code);
  // Replays revoke the authorization.
  await kit.redeem(code);
  await refresh(kit, tokens.refresh_token);
  await drain(kit.post("/oauth2/revoke", { client_id: "demo-spa", token }));
}

async function sendMistakes(kit: FlowKit, unknown: string): Promise<void> {
  await drain(kit.get("/.well-known/openid-configuration"));
  await drain(kit.get("/oauth2/jwks"));
  await drain(kit.get(`/no-such-path/${unknown}`));
  await drain(kit.get(kit.authorizationUrl({ client_id: unknown }).slice(kit.issuer.length)));
  await drain(kit.get("/oauth2/userinfo", { Authorization: `Bearer ${unknown}` }));
  await drain(kit.post("/oauth2/introspect", { token: unknown }, web));
}

function refresh(kit: FlowKit, refresh_token: string): Promise<ReadResponse> {
  return kit.token({ grant_type: "refresh_token", refresh_token, client_id: "demo-spa" });
}

function expectOk(response: ReadResponse): ReadResponse {
  const { status, text } = response;
  if (status !== 200) throw new Error(`A right request is refused: ${status} ${text}`);
  return response;
}

/** Reads a response to its end, so that its connection can be used again. */
async function drain(response: Promise<Response>): Promise<void> {
  await (await response).arrayBuffer();
}

function inTurn<T>(items: readonly T[], first: number): () => T {
  let turn = first;
  return () => present(items[turn++ % items.length]);
}
