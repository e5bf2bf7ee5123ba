import { everyFlow, userPassword, web } from "../../tests/support/every_flow.ts";
import type { Browser } from "../../tests/support/browser.ts";
import type { FlowKit } from "../../tests/support/kit.ts";
import { present } from "../../tests/support/present.ts";
import type { SoakedServer } from "./soaked_server.ts";

/** How many users keep their sessions, and how many go through every flow and sign in each time. */
const users = { withSession: 6, withEveryFlow: 2 };

/** Sends what clients and users send, right and wrong, until `isOver`. Returns how many chains. */
export async function sendMixedLoad(server: SoakedServer, isOver: () => boolean): Promise<number> {
  let chains = 0;
  const repeat = async (act: () => Promise<unknown>) => {
    do {
      await act();
      chains++;
    } while (!isOver());
  };
  const sessions = Array.from({ length: users.withSession }, (_, n) => {
    const kit = server.kit(`198.51.100.${n + 1}`);
    const browser = kit.browser();
    return repeat(() => useSession(kit, browser));
  });
  const flows = Array.from({ length: users.withEveryFlow }, (_, n) => {
    const kit = server.kit(`203.0.113.${n + 1}`);
    const nextFlow = inTurn(Object.values(everyFlow));
    return repeat(() => nextFlow()(kit));
  });
  await Promise.all([...sessions, ...flows]);
  return chains;
}

/** Gets tokens with a session, uses them, and lets some of them be stolen. */
async function useSession(kit: FlowKit, browser: Browser): Promise<void> {
  const callback = await kit.authorize({}, { password: userPassword }, browser);
  const code = present(callback.get("code"));
  const { body, status, text } = await kit.redeem(code);
  if (status !== 200) throw new Error(`A code was refused: ${status} ${text}`);
  const { access_token, refresh_token } = body;
  await drain(kit.get("/oauth2/userinfo", { Authorization: `Bearer ${access_token}` }));
  await drain(kit.post("/oauth2/introspect", { token: access_token }, web));
  const next = await refresh(kit, refresh_token);
  if (next.status !== 200) throw new Error(`A refresh token was refused: ${next.text}`);
  await sendMistakes(kit, code, refresh_token);
  await drain(kit.post("/oauth2/revoke", { client_id: "demo-spa", token: access_token }));
}

async function sendMistakes(kit: FlowKit, code: string, refreshToken: string): Promise<void> {
  await drain(kit.get("/.well-known/openid-configuration"));
  await drain(kit.get("/oauth2/jwks"));
  await drain(kit.get(`/no-such-path/${code}`));
  await drain(kit.get(kit.authorizationUrl({ client_id: code }).slice(kit.issuer.length)));
  await drain(kit.get("/oauth2/userinfo", { Authorization: `Bearer ${code}` }));
  await drain(kit.post("/oauth2/introspect", { token: code }, web));
  // Replays revoke the authorization.
  await kit.redeem(code);
  await refresh(kit, refreshToken);
}

function refresh(kit: FlowKit, refresh_token: string) {
  return kit.token({ grant_type: "refresh_token", refresh_token, client_id: "demo-spa" });
}

/** Reads a response to its end, so that its connection can be used again. */
async function drain(response: Promise<Response>): Promise<void> {
  await (await response).arrayBuffer();
}

function inTurn<T>(items: readonly T[]): () => T {
  let turn = 0;
  return () => present(items[turn++ % items.length]);
}
