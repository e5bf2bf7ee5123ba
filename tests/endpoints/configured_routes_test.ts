import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import type { RouteConfig } from "../../src/server/config/route_config.ts";
import { createServer, OAuthError } from "../../src/server/mod.ts";
import { openKit } from "../support/kit.ts";

const hello: RouteConfig = {
  method: "GET",
  path: "/hello/:name",
  kind: "api",
  handler: (_ctx, _request, segment) => Response.json({ hello: segment }),
};

describe("A route of the configuration", () => {
  it("is served below the issuer, and gets the open segment of its path", async () => {
    const kit = openKit({ routes: [hello] });
    assertEquals(await (await kit.get("/hello/alice")).json(), { hello: "alice" });
  });

  it("takes the place of a route of the server", async () => {
    const home: RouteConfig = { ...hello, path: "/" };
    assertEquals(await (await openKit({ routes: [home] }).get("/")).json(), { hello: "" });
  });

  it("does not exist when it is not enabled", async () => {
    const kit = openKit({ routes: [{ ...hello, enabled: false }] });
    assertEquals((await kit.get("/hello/alice")).status, 404);
  });

  it("can be read by scripts of any origin if it is configured so, and only then", async () => {
    const allowed = openKit({ routes: [{ ...hello, cors: true }] });
    const response = await allowed.get("/hello/alice");
    assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
    const other = await openKit({ routes: [hello] }).get("/hello/alice");
    assertEquals(other.headers.get("Access-Control-Allow-Origin"), null);
  });

  it("turns a thrown OAuthError into a page or into JSON, as its kind asks for", async () => {
    const handler = () => {
      throw new OAuthError("access_denied", "Members only.");
    };
    const kit = openKit({
      routes: [
        { ...hello, path: "/page", kind: "page", handler },
        { ...hello, path: "/api", handler },
      ],
    });
    const { headers } = await kit.get("/page");
    assert(headers.get("Content-Type")?.startsWith("text/html"));
    assertEquals((await (await kit.get("/api")).json()).error, "access_denied");
  });

  it("finds users, the one who is signed in, the clock and the metadata in its context", async () => {
    const kit = openKit({
      routes: [{
        ...hello,
        handler: async (ctx, request) =>
          Response.json([
            ctx.issuer,
            ctx.now(),
            ctx.metadata.token_endpoint,
            (await ctx.findUser("bob"))?.name,
            (await ctx.findUser("mallory"))?.name ?? null,
            (await ctx.findSignedInUser(request))?.name ?? null,
          ]),
      }],
    });
    assertEquals(await (await kit.get("/hello/x")).json(), [
      kit.issuer,
      kit.clock.now,
      `${kit.issuer}/oauth2/token`,
      "bob",
      null,
      null,
    ]);
    const browser = kit.browser();
    await kit.authorize({}, { user: "alice" }, browser);
    const response = await browser.request(`${kit.issuer}/hello/x`);
    assertEquals((await response.json()).at(-1), "alice");
  });

  it("is refused when its shape is wrong, with every problem", () => {
    const routes = [{ ...hello, method: "PATCH", path: "hello", handler: "none", for: "people" }];
    const error = assertThrows(() =>
      createServer({ issuer: "https://id.example", routes: routes as never })
    ) as Error;
    for (const member of ["method", "path", "handler", "for"]) {
      assert(error.message.includes(`routes[0].${member}`), error.message);
    }
  });
});
