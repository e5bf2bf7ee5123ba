import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { createFullServer } from "../../../src/server/features.ts";
import { lookUpClient } from "../../../src/server/issuer/clients/clients.ts";
import { createBudget } from "../../../src/server/issuer/limits/budget.ts";
import { type Kit, openKit, read } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { contextIn } from "../../support/request_context.ts";

const client_id = "https://app.example/client.json";
const redirect_uri = "https://app.example/cb";
const document = {
  client_id,
  client_name: "App",
  redirect_uris: [redirect_uri],
  grant_types: ["authorization_code", "refresh_token"],
};

/** A web in which every address answers alike, and that counts what is asked of it. */
function openWeb(
  answer: (url: string) => Response | Promise<Response> = () => Response.json(document),
) {
  const asked: string[] = [];
  const web = {
    asked,
    answer,
    fetchUntrusted: async (url: string) => {
      asked.push(url);
      return await web.answer(url);
    },
  };
  return web;
}

function openLab(
  { fetchUntrusted }: ReturnType<typeof openWeb>,
  config: Partial<LabConfig> = {},
): Kit {
  return openKit({ fetchUntrusted, ...config });
}

async function ask(
  kit: Kit,
  changes: Record<string, string> = {},
): Promise<{ status: number; page: string }> {
  const response = await kit.ask({ client_id, redirect_uri, ...changes });
  return { status: response.status, page: await response.text() };
}

describe("A client that a document describes (OAuth Client ID Metadata Document)", () => {
  it("gets tokens, and is found again wherever they are checked", async () => {
    const kit = openLab(openWeb());
    const code = await kit.code({ client_id, redirect_uri });
    const { body } = await kit.redeem(code, { client_id, redirect_uri });
    assertEquals((await kit.userinfo(body.access_token)).status, 200);
    assertEquals((await kit.refresh(body.refresh_token, { client_id })).status, 200);
  });

  it("is advertised if, and only if, it is supported", async () => {
    const supported = (kit: Kit) =>
      kit.server.context.metadata().client_id_metadata_document_supported;
    assertEquals([supported(openLab(openWeb())), supported(openKit())], [true, undefined]);
    const server = createFullServer({
      issuer: "https://hallpass.test",
      fetchUntrusted: openWeb().fetchUntrusted,
    });
    assertEquals(server.context.metadata().client_id_metadata_document_supported, undefined);
  });

  it("uses any port of a loopback URI that has none", async () => {
    const kit = openLab(
      openWeb(() =>
        Response.json({ client_id, redirect_uris: ["http://127.0.0.1/cb", "http://localhost/cb"] })
      ),
    );
    assertEquals((await ask(kit, { redirect_uri: "http://127.0.0.1:50123/cb" })).status, 303);
    assertEquals((await ask(kit, { redirect_uri: "http://127.0.0.1:50123/other" })).status, 400);
  });

  it("takes of what it lists what this server has: a document is written for every server", async () => {
    const listed = {
      grant_types: ["authorization_code", "urn:example:grant"],
      scope: "openid read everything",
      response_types: ["code", "token"],
    };
    const kit = openLab(openWeb(() => Response.json({ ...document, ...listed })));
    assertEquals((await ask(kit, { scope: "openid read" })).status, 303);
    const { page } = await ask(kit, { scope: "openid profile" });
    assert(!page.includes("form"));
  });

  it("authenticates in the first way of those that its document lists, but never with a secret", async () => {
    const jwks = { keys: [{ kty: "EC", crv: "P-256", x: "x".repeat(43), y: "y".repeat(43) }] };
    const token_endpoint_auth_methods_supported = [
      "tls_client_auth",
      "client_secret_basic",
      "private_key_jwt",
      "none",
    ];
    const kit = openLab(
      openWeb(() => Response.json({ ...document, jwks, token_endpoint_auth_methods_supported })),
    );
    assertEquals(
      (await lookUpClient(contextIn(kit.server), client_id))?.authentication,
      ["private_key_jwt"],
    );
  });

  const useless: Record<string, () => Response> = {
    "speaks for another URL": () =>
      Response.json({ ...document, client_id: "https://app.example/other.json" }),
    "speaks for no URL": () => Response.json({ redirect_uris: [redirect_uri] }),
    "holds a secret": () => Response.json({ ...document, client_secret: "s" }),
    "has a secret that expires": () => Response.json({ ...document, client_secret_expires_at: 0 }),
    "wants to authenticate with a secret": () =>
      Response.json({ ...document, token_endpoint_auth_method: "client_secret_basic" }),
    "wants a secret for its assertions": () =>
      Response.json({ ...document, token_endpoint_auth_method: "client_secret_jwt" }),
    "has no redirect URI": () => Response.json({ client_id }),
    "has a redirect URI that runs something": () =>
      Response.json({ ...document, redirect_uris: ["javascript:alert(1)"] }),
    "wants to act without a user": () =>
      Response.json({ ...document, grant_types: ["client_credentials"] }),
    "F5: names a member with a line break": () =>
      Response.json({ ...document, jwks: { keys: [], "a\nb": 1 } }),
    "is a list": () => Response.json([document]),
    "is null": () => Response.json(null),
    "is a page": () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
    "is not there": () => new Response(JSON.stringify(document), { status: 404 }),
    "is not quite there": () => new Response(JSON.stringify(document), { status: 201 }),
    "is elsewhere": () => Response.redirect("https://elsewhere.example/"),
    "has no end": () => Response.json({ ...document, x: "x".repeat(20_000) }),
    "cannot be reached": () => {
      throw new Error("no route to host");
    },
  };
  for (const [what, answer] of Object.entries(useless)) {
    it(`is unknown where the document ${what}: no redirect, and an event`, async () => {
      const kit = openLab(openWeb(answer));
      const { status, page } = await ask(kit);
      assertEquals(status, 400);
      assertStringIncludes(page, "client_id must be that of a known client");
      assert(
        kit.events.some((event) => event.type === "outbound.failed" && event.url === client_id),
      );
      const refused = await kit.token({ grant_type: "authorization_code", code: "x", client_id });
      assertEquals([refused.status, refused.body.error], [401, "invalid_client"]);
    });
  }

  it("learns in a lab what is wrong with its document", async () => {
    const kit = openLab(
      openWeb(() => Response.json({ ...document, redirect_uris: ["https://app.example/#"] })),
    );
    assertStringIncludes((await ask(kit)).page, "'redirect_uris[0]' has a fragment");
    const strict = openLab(openWeb(() => new Response(null, { status: 404 })), { hints: false });
    assert(!(await ask(strict)).page.includes("404"));
  });

  it("A42: cannot become a user whose 'sub' is its URL", async () => {
    const jwks = { keys: [{ kty: "EC", crv: "P-256", x: "x".repeat(43), y: "y".repeat(43) }] };
    const grant_types = ["authorization_code", "client_credentials"];
    const kit = openLab(
      openWeb(() =>
        Response.json({
          ...document,
          token_endpoint_auth_method: "private_key_jwt",
          jwks,
          grant_types,
        })
      ),
    );
    assertEquals(
      (await lookUpClient(contextIn(kit.server), client_id))?.grantTypes,
      ["authorization_code"],
    );
  });

  it("is not looked for under an id that is no such URL", async () => {
    const web = openWeb();
    const kit = openLab(web);
    for (
      const id of [
        "https://app.example/",
        "https://app.example/a/../client.json",
        "http://app.example/client.json",
        "nobody",
      ]
    ) {
      assertEquals((await ask(kit, { client_id: id })).status, 400);
    }
    assertEquals(web.asked, []);
  });

  it("yields to a configured client with the same id", async () => {
    const web = openWeb();
    const kit = openLab(web, {
      clients: [{ id: client_id, redirectUris: ["https://other.example/"] }],
    });
    assertEquals([(await ask(kit)).status, web.asked.length], [400, 0]);
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
      const web = openWeb(() => Response.json(document, { headers }));
      const kit = openLab(web);
      for (const [advance, fetches] of [[0, 1], [seconds - 1, 1], [2, 2]]) {
        kit.clock.advance(present(advance));
        await ask(kit);
        assertEquals(web.asked.length, fetches);
      }
    });
  }

  it("is fetched once for all who ask at the same time", async () => {
    const web = openWeb();
    const kit = openLab(web);
    await Promise.all(Array.from({ length: 20 }, () => ask(kit)));
    assertEquals(web.asked.length, 1);
  });

  it("counts as it is now, once it is fetched again", async () => {
    const web = openWeb();
    const kit = openLab(web);
    assertEquals((await ask(kit)).status, 303);
    web.answer = () => Response.json({ ...document, redirect_uris: ["https://app.example/new"] });
    kit.clock.advance(301);
    assertEquals((await ask(kit)).status, 400);
  });

  it("holds for a day where it cannot be fetched again, and no longer", async () => {
    const web = openWeb();
    const kit = openLab(web);
    await ask(kit);
    web.answer = () => new Response(null, { status: 503 });
    kit.clock.advance(23 * 3600);
    assertEquals((await ask(kit)).status, 303);
    kit.clock.advance(2 * 3600);
    assertEquals((await ask(kit)).status, 400);
  });

  it("is asked for anew after a failure, but never so often that a site is attacked through us", async () => {
    const web = openWeb(() => new Response(null, { status: 500 }));
    const kit = openLab(web, { documentsPerMinute: 30 });
    const statuses = [];
    for (let time = 0; time < 40; time++) {
      statuses.push((await ask(kit, { client_id: `https://app.example/${time}` })).status);
    }
    assertEquals([web.asked.length, statuses[0], statuses[39]], [30, 400, 429]);
    kit.clock.advance(60);
    web.answer = () => Response.json(document);
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

  it("takes no room in the store", async () => {
    const kit = openLab(openWeb());
    await ask(kit);
    assertEquals(await kit.server.context.records.clients.list(), []);
  });
});

describe("A server that is to fetch documents", () => {
  it("must be given a safe way to do so", async () => {
    let message = "";
    try {
      createFullServer({ issuer: "https://hallpass.test", clientMetadataDocuments: true });
    } catch (cause) {
      message = String(cause);
    }
    assertStringIncludes(message, "clientMetadataDocuments needs fetchUntrusted");
    assertEquals(
      (await read(await openKit().get("/.well-known/openid-configuration"))).body
        .client_id_metadata_document_supported,
      undefined,
    );
  });
});
