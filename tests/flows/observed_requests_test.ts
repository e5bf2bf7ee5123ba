import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { describe } from "node:test";
import type { EventRequest, ServerEvent } from "../../src/server/config/events.ts";
import { type Config, createFullServer } from "../../src/server/features.ts";
import { createIncomingRequest } from "../../src/server/http/incoming_request.ts";
import { itWith } from "../support/it_with.ts";
import { basic, type Kit, openStrictKit, spa } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { withAddress } from "../support/with_address.ts";

const it = itWith({ inObserved: openObserved });

const proxy = "10.0.0.1";
const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${parentId}-01`;

/** An event, and the request during which it happened. */
interface Observed {
  event: ServerEvent;
  request: EventRequest | undefined;
}

/** Opens a server whose listener collects what it hears. */
function openObserved(config: Partial<Config> = {}): { kit: Kit; observed: Observed[] } {
  const observed: Observed[] = [];
  const kit = openStrictKit({
    clients: [
      spa(),
      { id: "web", secret: "a-long-secret-of-the-client-web", grantTypes: ["client_credentials"] },
    ],
    scopes: { openid: "Know who you are", profile: "See your profile", read: "Read" },
    trustedProxies: [proxy],
    ...config,
    onEvent: (event, request) => observed.push({ event, request }),
  });
  return { kit, observed };
}

const web = basic("web", "a-long-secret-of-the-client-web");

/** Returns what was reported at the end of the last request. */
function lastRequest(observed: readonly Observed[]): Observed {
  return present(observed.findLast(({ event }) => event.type === "request.handled"));
}

/** Sends a request whose peer has an address. */
async function sendFrom(kit: Kit, ip: string, headers: Record<string, string>): Promise<void> {
  const request = new Request(`${kit.issuer}/oauth2/jwks`, { headers });
  await kit.server.fetch(withAddress(request, ip));
}

describe("A sign-in is reported", () => {
  it.inObserved("P6: with the client that asked for it, also when it fails", async ({ kit, observed }) => {
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl());
    const again = await browser.signIn(page, "alice", "wrong");
    await browser.signIn(again);
    const signIns = observed.filter(({ event }) => event.type.startsWith("sign_in."));
    assertEquals(signIns.map(({ event, request }) => [event.type, request?.client]), [
      ["sign_in.failed", "demo-spa"],
      ["sign_in.succeeded", "demo-spa"],
    ]);
  });
});

describe("The end of a request is reported", () => {
  it.inObserved("with the client, the grant and the outcome", async ({ kit, observed }) => {
    await kit.token({ grant_type: "client_credentials" }, web);
    const { event, request } = lastRequest(observed);
    assertEquals(event, {
      type: "request.handled",
      method: "POST",
      path: "/oauth2/token",
      status: 200,
    });
    assertEquals([request?.client, request?.grantType], ["web", "client_credentials"]);
    assertEquals(request?.startedAt, kit.clock.now);
    assert(present(request).duration >= 0);
  });

  const refused: Array<[what: string, status: number, error: string, client: string | undefined]> =
    [["wrong", 401, "invalid_client", "web"], ["", 401, "invalid_client", undefined]];
  for (const [secret, status, error, client] of refused) {
    it(`with the error of a client ${client ? "with a wrong secret" : "that is unknown"}`, async () => {
      const { kit, observed } = openObserved();
      const headers = basic(client ?? "unknown", secret);
      await kit.token({ grant_type: "client_credentials" }, headers);
      const { event, request } = lastRequest(observed);
      assertEquals(event, {
        type: "request.handled",
        method: "POST",
        path: "/oauth2/token",
        status,
        error,
      } as ServerEvent);
      assertEquals(request?.client, client);
    });
  }

  it.inObserved("with the error that a redirect takes to the client", async ({ kit, observed }) => {
    await kit.browser().request(kit.authorizationUrl({ response_type: "token" }));
    const { event, request } = lastRequest(observed);
    assert(event.type === "request.handled");
    assertEquals([event.status, event.error], [303, "unsupported_response_type"]);
    assertEquals(request?.client, "demo-spa");
  });

  it.inObserved("with the route of a path that contains an id, never with the path", async ({ kit, observed }) => {
    await kit.authorize();
    const paths = observed.flatMap(({ event }) =>
      event.type === "request.handled" ? [event.path] : []
    );
    assert(paths.includes("/oauth2/interaction/:id/sign-in"), paths.join());
    assertEquals(paths.filter((path) => /\/interaction\/[^:]/.test(path)), []);
  });

  it.inObserved("with a path that leads nowhere, without its query", async ({ kit, observed }) => {
    await kit.get("/oauth2/tokens?code=a-code");
    const { event } = lastRequest(observed);
    assert(event.type === "request.handled");
    assertEquals([event.path, event.unknownPath], ["unknown", "/oauth2/tokens"]);
  });

  const unknownPaths: Array<[what: string, path: string, shown: string]> = [
    ["is long", `/${"a/".repeat(300)}`, `/${"a/".repeat(300)}`.slice(0, 200)],
    ["has control characters", "/a%1b[31mb", "/a%1b[31mb"],
    ["has a credential", `/token/${"aB3-".repeat(11)}/x`, "/token/[44 characters]/x"],
    ["has a password", "/correct%20horse%20battery", "/[25 characters]"],
  ];
  for (const [what, path, shown] of unknownPaths) {
    it.inObserved(`with the readable part of a path that ${what}`, async ({ kit, observed }) => {
      await kit.get(path);
      const { event } = lastRequest(observed);
      assertEquals(event.type === "request.handled" && event.unknownPath, shown);
    });
  }

  it.inObserved("Q12: with a method that routes have, and no other, which could be a credential", async ({ kit, observed }) => {
    for (const method of ["PATCH", "rt_S3cretS3cretS3cret", "get"]) {
      for (const path of ["/health", "/nowhere"]) {
        const request = new Request(kit.issuer + path, { method });
        await kit.server.fetch(request);
        const { event } = lastRequest(observed);
        // Bun makes a GET of a method that it does not know.
        const shown = request.method === "GET" ? "GET" : "other";
        assertEquals(event.type === "request.handled" && event.method, shown);
      }
    }
    assertEquals(JSON.stringify(observed).includes("S3cret"), false);
  });

  it.inObserved("even for a preflight, and for a method that the path lacks", async ({ kit, observed }) => {
    for (const method of ["OPTIONS", "DELETE", "HEAD"]) {
      await kit.request("/oauth2/jwks", { method });
    }
    const handled = observed.flatMap(({ event }) =>
      event.type === "request.handled" ? [`${event.method} ${event.status}`] : []
    );
    assertEquals(handled, ["OPTIONS 204", "DELETE 405", "HEAD 200"]);
  });
});

describe("Events of one request", () => {
  it.inObserved("have its id, which is another one for each request", async ({ kit, observed }) => {
    await kit.tokens();
    const idsOf = (type: ServerEvent["type"]) =>
      observed.filter(({ event }) => event.type === type).map(({ request }) => request?.id);
    const [token] = idsOf("token.issued");
    const ids = idsOf("request.handled");
    assertMatch(present(token), /^[\da-f]{16}$/);
    assertEquals(ids.at(-1), token);
    assertEquals(new Set(ids).size, ids.length);
  });

  it.inObserved("know the client as soon as the server does", async ({ kit, observed }) => {
    await kit.tokens();
    const issued = observed.find(({ event }) => event.type === "token.issued");
    const key = observed.find(({ event }) => event.type === "key.made");
    assertEquals(issued?.request?.client, "demo-spa");
    assertEquals(key?.request, undefined);
  });

  it.inObserved("have the address behind a trusted proxy, and that of any other peer", async ({ kit, observed }) => {
    for (const peer of [proxy, "192.0.2.1"]) {
      await sendFrom(kit, peer, { "X-Forwarded-For": "198.51.100.7" });
      const expected = peer === proxy ? "198.51.100.7" : peer;
      assertEquals(lastRequest(observed).request?.address, expected);
    }
  });
});

describe("A trace (W3C Trace Context)", () => {
  it.inObserved("is taken up from a trusted proxy", async ({ kit, observed }) => {
    await sendFrom(kit, proxy, { traceparent });
    const { request } = lastRequest(observed);
    assertEquals(request?.trace, { traceId, parentId, flags: 1 });
    assertNotEquals(request?.id, parentId);
  });

  const others: Array<[what: string, ip: string, header: string]> = [
    ["any other peer sends one", "192.0.2.1", traceparent],
    ["that of a trusted proxy is malformed", proxy, "00-x"],
  ];
  for (const [what, ip, header] of others) {
    it.inObserved(`begins with the request if ${what}`, async ({ kit, observed }) => {
      await sendFrom(kit, ip, { traceparent: header });
      const { traceId: begun, parentId: parent } = present(lastRequest(observed).request).trace;
      assertMatch(begun, /^[\da-f]{32}$/);
      assertNotEquals(begun, traceId);
      assertEquals(parent, undefined);
    });
  }
});

describe("An observer of one request", () => {
  it("hears its events also on a server without a listener", async () => {
    const server = createFullServer({ issuer: "https://id.example", clients: [] });
    const request = createIncomingRequest(new Request("https://id.example/nothing"));
    const heard: string[] = [];
    await server.respond(request, { onEvent: ({ type }) => heard.push(type) });
    assertEquals(heard, ["request.refused", "request.handled"]);
    await server.close();
  });
});

describe("The description of a refusal in an event", () => {
  const cases: Record<string, [changes: Record<string, string>, rule: string]> = {
    "a redirect URI": [
      { redirect_uri: "https://hallpass.test/zq-value" },
      "redirect_uri.registered",
    ],
    "a URL with a password": [
      { redirect_uri: "https://zq-value:x@a.test/" },
      "redirect_uri.registered",
    ],
    "a scope": [{ scope: "zq-value" }, "scope.allowed"],
    "an unknown client": [{ client_id: "zq-value" }, "client.known"],
    "a method of PKCE": [{ code_challenge_method: "zq-value" }, "challenge.method"],
    "a prompt": [{ prompt: "zq-value" }, "prompt.known"],
    "a parameter that is not supported": [{ registration: "zq-value" }, "registration.absent"],
  };
  for (const [what, [changes, rule]] of Object.entries(cases)) {
    it.inObserved(`S9: repeats nothing of ${what}, and names the rule`, async ({ kit, observed }) => {
      await kit.browser().request(kit.authorizationUrl(changes));
      const refusal = observed.find(({ event }) => event.type === "request.refused")?.event;
      assert(refusal?.type === "request.refused");
      assertEquals([refusal.rule, refusal.parameter], [rule, Object.keys(changes)[0]]);
      assertEquals(refusal.description.includes("zq-value"), false);
    });
  }
});
