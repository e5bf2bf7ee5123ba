import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { createFullServer } from "../../../src/server/features.ts";
import { lookUpClient } from "../../../src/server/issuer/clients/clients.ts";
import { createBudget } from "../../../src/server/issuer/limits/budget.ts";
import { itWith } from "../../support/it_with.ts";
import { type Fields, type Kit, openKit } from "../../support/kit.ts";
import { contextIn } from "../../support/request_context.ts";
import {
  described,
  type DocumentKit,
  documentOf,
  documentUrl as client_id,
  failing,
  openDocuments,
  openWeb,
  redirectUriOf,
} from "./document_kit.ts";

const it = itWith({ inLab: () => openDocuments() });

const redirect_uri = redirectUriOf(client_id);

async function ask(kit: Kit, changes: Fields = {}): Promise<{ status: number; page: string }> {
  const response = await kit.ask({ client_id, redirect_uri, ...changes });
  return { status: response.status, page: await response.text() };
}

const lookUp = ({ server }: Kit) => lookUpClient(contextIn(server), client_id);

describe("A client that a document describes (OAuth Client ID Metadata Document)", () => {
  it.inLab("gets tokens, and is found again wherever they are checked", async (kit) => {
    const code = await kit.code({ client_id, redirect_uri });
    const { body } = await kit.redeem(code, { client_id, redirect_uri });
    assertEquals((await kit.userinfo(body.access_token)).status, 200);
    assertEquals((await kit.refresh(body.refresh_token, { client_id })).status, 200);
  });

  it.inLab("is advertised if, and only if, it is supported", ({ server }) => {
    const config = { issuer: "https://hallpass.test", fetchUntrusted: async () => new Response() };
    const supported = [server, openKit().server, createFullServer(config)]
      .map(({ context }) => context.metadata().client_id_metadata_document_supported);
    assertEquals(supported, [true, undefined, undefined]);
  });

  it.inLab("uses any port of a loopback URI that has none", async (kit) => {
    kit.web.respond = described({ redirect_uris: ["http://127.0.0.1/cb", "http://localhost/cb"] });
    assertEquals((await ask(kit, { redirect_uri: "http://127.0.0.1:50123/cb" })).status, 303);
    assertEquals((await ask(kit, { redirect_uri: "http://127.0.0.1:50123/other" })).status, 400);
  });

  it.inLab("takes of what it lists what this server has: a document is written for every server", async (kit) => {
    kit.web.respond = described({
      grant_types: ["authorization_code", "urn:example:grant"],
      scope: "openid read everything",
      response_types: ["code", "token"],
    });
    assertEquals((await ask(kit, { scope: "openid read" })).status, 303);
    assert(!(await ask(kit, { scope: "openid profile" })).page.includes("form"));
  });

  const jwks = { keys: [{ kty: "EC", crv: "P-256", x: "x".repeat(43), y: "y".repeat(43) }] };

  it.inLab("authenticates in the first way of those that its document lists, but never with a secret", async (kit) => {
    const methods = ["tls_client_auth", "client_secret_basic", "private_key_jwt", "none"];
    kit.web.respond = described({ jwks, token_endpoint_auth_methods_supported: methods });
    assertEquals((await lookUp(kit))?.authentication, ["private_key_jwt"]);
  });

  it.inLab("A42: cannot become a user whose 'sub' is its URL", async (kit) => {
    const token_endpoint_auth_method = "private_key_jwt";
    const grant_types = ["authorization_code", "client_credentials"];
    kit.web.respond = described({ token_endpoint_auth_method, jwks, grant_types });
    assertEquals((await lookUp(kit))?.grantTypes, ["authorization_code"]);
  });

  const useless: Record<string, object> = {
    "speaks for another URL": { client_id: "https://app.example/other.json" },
    "speaks for no URL": { client_id: undefined },
    "holds a secret": { client_secret: "s" },
    "has a secret that expires": { client_secret_expires_at: 0 },
    "wants to authenticate with a secret": { token_endpoint_auth_method: "client_secret_basic" },
    "has a name that is no text": { client_name: 7 },
    "wants a secret for its assertions": { token_endpoint_auth_method: "client_secret_jwt" },
    "has no redirect URI": { redirect_uris: undefined },
    "has a redirect URI that runs something": { redirect_uris: ["javascript:alert(1)"] },
    "wants to act without a user": { grant_types: ["client_credentials"] },
    "F5: names a member with a line break": { jwks: { keys: [], "a\nb": 1 } },
    "has no end": { x: "x".repeat(20_000) },
  };
  const text = JSON.stringify(documentOf());
  const unreadable: Record<string, () => Response> = {
    ...Object.fromEntries(
      Object.entries(useless).map(([what, changes]) => [
        what,
        () => Response.json(documentOf(client_id, changes)),
      ]),
    ),
    "is a list": () => Response.json([documentOf()]),
    "is null": () => Response.json(null),
    "is a page": () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
    "is not there": () => new Response(text, { status: 404 }),
    "is not quite there": () => new Response(text, { status: 201 }),
    "is elsewhere": () => Response.redirect("https://elsewhere.example/"),
    "cannot be reached": () => {
      throw new Error("no route to host");
    },
  };
  for (const [what, respond] of Object.entries(unreadable)) {
    it(`P04 is unknown where the document ${what}: no redirect, and an event`, async () => {
      const kit = openDocuments({}, openWeb(respond));
      const { status, page } = await ask(kit);
      assertEquals(status, 400);
      assertStringIncludes(page, "client_id must be that of a known client");
      const failures = kit.events.filter((event) => event.type === "outbound.failed");
      assert(failures.some(({ url }) => url === client_id));
      const refused = await kit.token({ grant_type: "authorization_code", code: "x", client_id });
      assertEquals([refused.status, refused.body.error], [401, "invalid_client"]);
    });
  }

  it.inLab("learns in a lab what is wrong with its document", async (kit) => {
    kit.web.respond = described({ redirect_uris: ["https://app.example/#"] });
    assertStringIncludes((await ask(kit)).page, "'redirect_uris[0]' has a fragment");
    const strict = openDocuments({ hints: false }, openWeb(failing(404)));
    assert(!(await ask(strict)).page.includes("404"));
  });

  it.inLab("is not looked for under an id that is no such URL", async (kit) => {
    const ids = ["https://app.example/", "https://app.example/a/../client.json"];
    for (const id of [...ids, "http://app.example/client.json", "nobody"]) {
      assertEquals((await ask(kit, { client_id: id })).status, 400);
    }
    assertEquals(kit.web.asked, []);
  });

  it("yields to a configured client with the same id", async () => {
    const clients = [{ id: client_id, redirectUris: ["https://other.example/"] }];
    const kit = openDocuments({ clients });
    assertEquals([(await ask(kit)).status, kit.web.asked], [400, []]);
  });
});

describe("The document of a client", () => {
  const cases: Array<[headers: Record<string, string>, seconds: number]> = [
    [{}, 5 * 60],
    [{ "Cache-Control": "max-age=600" }, 600],
    [{ "Cache-Control": "max-age=1" }, 60],
    [{ "Cache-Control": "no-store" }, 60],
    [{ "Cache-Control": "max-age=999999999" }, 24 * 3600],
  ];
  for (const [headers, seconds] of cases) {
    it(`is kept for ${seconds} seconds with ${JSON.stringify(headers)}`, async () => {
      const kit = openDocuments({}, openWeb((url) => Response.json(documentOf(url), { headers })));
      const fetchesAfter = async (seconds: number) => {
        kit.clock.advance(seconds);
        await ask(kit);
        return kit.web.asked.length;
      };
      const fetches = [await fetchesAfter(0), await fetchesAfter(seconds - 0.001)];
      assertEquals([...fetches, await fetchesAfter(0.001)], [1, 1, 2]);
    });
  }

  it.inLab("is fetched once for all who ask at the same time", async (kit) => {
    await Promise.all(Array.from({ length: 20 }, () => ask(kit)));
    assertEquals(kit.web.asked.length, 1);
  });

  const later: Record<string, [respond: DocumentKit["web"]["respond"], statuses: number[]]> = {
    "counts as it is now, once it is fetched again": [
      described({ redirect_uris: ["https://app.example/new"] }),
      [400, 400],
    ],
    "holds for a day where it cannot be fetched again, and no longer": [failing(503), [303, 400]],
  };
  for (const [what, [respond, statuses]] of Object.entries(later)) {
    it.inLab(what, async (kit) => {
      assertEquals((await ask(kit)).status, 303);
      kit.web.respond = respond;
      for (const [at, seconds] of [24 * 3600 - 0.001, 0.001].entries()) {
        kit.clock.advance(seconds);
        assertEquals((await ask(kit)).status, statuses[at]);
      }
    });
  }

  it("is asked for anew after a failure, but never so often that a site is attacked through us", async () => {
    const kit = openDocuments({ documentsPerMinute: 30 }, openWeb(failing(500)));
    const statuses = [];
    for (let time = 0; time < 40; time++) {
      statuses.push((await ask(kit, { client_id: `https://app.example/${time}` })).status);
    }
    assertEquals([kit.web.asked.length, statuses[0], statuses[39]], [30, 400, 429]);
    kit.clock.advance(60);
    kit.web.respond = described();
    assertEquals((await ask(kit)).status, 303);
  });

  it("is fetched no more often for the sake of ten thousand other hosts", () => {
    const budget = createBudget(() => 0, 1);
    budget.take("all");
    for (let n = 0; n < 10_000; n++) {
      budget.take(`${n}.example`);
      assertEquals(budget.take("all"), undefined);
    }
  });

  it.inLab("takes no room in the store", async (kit) => {
    await ask(kit);
    assertEquals(await kit.server.context.records.clients.list(), []);
  });

  it("needs a safe way to be fetched", () => {
    const config = { issuer: "https://hallpass.test", clientMetadataDocuments: true };
    const message = "clientMetadataDocuments needs fetchUntrusted";
    assertThrows(() => createFullServer(config), Error, message);
  });
});
