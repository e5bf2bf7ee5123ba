import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { endpointUrl } from "../../src/server/issuer/context.ts";
import type { AppliedRule } from "../../src/server/protocol/rule.ts";
import { openKit, openStrictKit } from "../support/kit.ts";

const redirectUris = ["https://hallpass.test/authorized"];

function makeClients(count: number) {
  return Array.from({ length: count }, (_, at) => ({ id: `c${at}`, redirectUris }));
}

/** The page for a client that is not known. */
async function pageFor(count: number): Promise<string> {
  const clients = makeClients(count);
  const kit = openKit({ clients });
  const url = kit.authorizationUrl({ client_id: "something-else-entirely" });
  return await (await kit.server.fetch(new Request(url))).text();
}

describe("The hint about an unknown client", () => {
  it("lists ten clients, and shows that there are more", async () => {
    assertMatch(
      await pageFor(0),
      /id="expected">a registered client, because none is configured<\/dd>/,
    );
    assertMatch(await pageFor(10), /id="expected">one of c0, .*, c9<\/dd>/);
    assertMatch(await pageFor(11), /id="expected">one of c0, .*, c9, …<\/dd>/);
  });

  it("S5: an unknown client costs the same with 1,000 configured clients: it is compared with none", async () => {
    let broken: AppliedRule | undefined;
    const kit = openStrictKit({
      clients: makeClients(1000),
      onEvent: (_, request) => void (broken = request?.rules.find(({ passed }) => !passed)),
    });
    assertEquals((await kit.get("/oauth2/authorize?client_id=c1x")).status, 400);
    assertEquals([broken?.rule.id, broken?.expected], ["client.known", undefined]);
  });

  it("S5: compares an unknown client with the first fifty, in a lab too", async () => {
    const kit = openKit({ clients: makeClients(1000) });
    const hintFor = async (id: string) => {
      return await (await kit.get(`/oauth2/authorize?client_id=${id}`)).text();
    };
    assertMatch(await hintFor("d49"), /id="expected">a known client, such as (?:&#39;|')c49/);
    assertMatch(await hintFor("d9999"), /id="expected">one of c0,/);
  });
});

describe("endpointUrl", () => {
  it("throws for an endpoint that the server does not have", () => {
    const { context } = openKit().server;
    assertEquals(endpointUrl(context, "jwks_uri"), "https://hallpass.test/oauth2/jwks");
    const without = { ...context, metadata: () => ({ issuer: context.settings.issuer }) };
    assertThrows(() => endpointUrl(without, "jwks_uri"), Error, "has no 'jwks_uri'");
  });
});
