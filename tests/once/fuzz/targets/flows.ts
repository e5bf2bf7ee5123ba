import { assertEquals } from "@std/assert";
import type { Kit } from "../../../support/kit.ts";
import { watchedStore } from "../../../support/stores.ts";
import { assertSound, assertUnchanged, type FlowFacts, isRefusal } from "../flows/oracle.ts";
import { type FlowExchange, openFlowKit, openSession } from "../flows/session.ts";
import { anyFlow } from "../flows/step.ts";
import { type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";

/** Flows of a server, of which some steps are wrong. */
export const flowTargets: readonly FuzzTarget[] = [
  fuzzTarget("every endpoint survives flows with wrong steps", anyFlow, async (steps) => {
    const store = watchedStore();
    const kit = openFlowKit(store);
    const session = await openSession(kit);
    const redirectUris = await configuredUris(kit);
    for (const step of steps) {
      store.writes.length = 0;
      const exchanges = await session.run(step);
      redirectUris.push(...exchanges.flatMap(registeredUris));
      const facts: FlowFacts = { issuer: kit.issuer, redirectUris, writes: store.writes };
      for (const exchange of exchanges) assertSound(exchange, facts);
      const [only, ...more] = exchanges;
      if (only && more.length === 0 && isRefusal(only)) assertUnchanged(only, facts);
    }
    assertEquals(kit.events.filter(({ type }) => type === "server.failed"), []);
  }, 12),
];

async function configuredUris({ server }: Kit): Promise<string[]> {
  const clients = await server.context.settings.clients.all();
  const settings = clients.flatMap((client) => Object.entries(client));
  return settings.flatMap(([name, value]) => /redirectUris$/i.test(name) ? value : []);
}

function registeredUris({ request, response, text }: FlowExchange): string[] {
  const isRegistration = new URL(request.url).pathname.startsWith("/oauth2/register");
  if (!isRegistration || !response.ok || text === "") return [];
  const { redirect_uris = [], post_logout_redirect_uris = [] } = JSON.parse(text);
  return [...redirect_uris, ...post_logout_redirect_uris];
}
