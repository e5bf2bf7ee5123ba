import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { describe } from "node:test";
import { guardedFetch } from "../../../src/runtime/guarded_fetch.ts";
import { sha256 } from "../../../src/server/util/crypto/hash.ts";
import { createDeferred } from "../../../src/server/util/time/promises.ts";
import { textOf } from "../../support/browser.ts";
import { makeClientKey, seconds, signWithSecret } from "../../support/client_key.ts";
import { itWith } from "../../support/it_with.ts";
import type { Fields, Kit } from "../../support/kit.ts";
import { needs } from "../../support/where_feature.ts";
import { withClock } from "../../support/with_clock.ts";
import {
  claims,
  jwtResponse,
  key,
  objectUri,
  openPublishing,
  type PublishingKit,
  redirectUri,
} from "./published_requests.ts";

const it = itWith({ inPublishing: openPublishing });

const otherKey = await makeClientKey("ES256");

/** Why an object cannot be used, and how a site then responds. */
const failures: Record<string, (kit: Kit) => Response | Promise<Response>> = {
  "a page that is missing": () => new Response("", { status: 404 }),
  "a server in trouble": () => new Response("", { status: 500 }),
  "a redirect": () =>
    new Response(null, { status: 302, headers: { Location: "http://169.254.169.254/" } }),
  "no connection": () => Promise.reject(new TypeError("no route to host")),
  "a page": () => jwtResponse("<html>", "text/html"),
  "JSON": () => jwtResponse("{}", "application/json"),
  "no media type": () => new Response(new Blob(["a.b.c"])),
  "more than 64 kB": () => jwtResponse("x".repeat(65 * 1024)),
  "no JWT": () => jwtResponse("Not a JWT."),
  "an unsigned object": (kit) => jwtResponse(new UnsecuredJWT(claims(kit)).encode()),
  "an object that is signed with a secret": async (kit) =>
    jwtResponse(await signWithSecret("a-secret-that-is-long-enough-for-hmac", claims(kit))),
  "an object of another key": async (kit) => jwtResponse(await otherKey.sign(claims(kit))),
  "an object for another server": signed({ aud: "https://other.example" }),
  "an object for no server": signed({ aud: undefined }),
  "an object of another client": signed({ client_id: "other" }),
  "an object with another iss": signed({ iss: "other" }),
  "an object that could be a client assertion": signed({ sub: "app" }),
  "an object that has expired": async (kit) =>
    jwtResponse(await key.sign(claims(kit, { exp: seconds(kit) - 60 }))),
  "an object that lasts for more than an hour": async (kit) =>
    jwtResponse(await key.sign(claims(kit, { exp: seconds(kit) + 3700 }))),
  "an object with an object": signed({ request: "a.b.c" }),
  "an object with a reference": signed({ request_uri: objectUri }),
};

function signed(changes: Record<string, unknown>): (kit: Kit) => Promise<Response> {
  return async (kit) => jwtResponse(await key.sign(claims(kit, changes)));
}

/** Lets everything happen that needs no time, or until a condition holds. */
async function until(isMet: () => boolean, turns = 100): Promise<void> {
  for (let turn = 0; turn < turns && !isMet(); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function withHash(uri: string, object: string): Promise<string> {
  return `${uri}#${await sha256(object)}`;
}

/** Sends several requests, and returns the statuses of their responses. */
async function statusesOf({ open }: PublishingKit, count: number): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await open()).status);
  return statuses;
}

describe("A request object by reference (OpenID Connect Core, section 6.2; RFC 9101, section 5.2)", () => {
  it.inPublishing("O16 is fetched from a URI that the client registered, and leads to a code", async ({ kit, fetched, publishObject, authorize }) => {
    await publishObject();
    const parameters = await authorize();
    assertEquals([parameters.get("state"), parameters.get("error")], ["inside", null]);
    const code = parameters.get("code") ?? "";
    const fields = { client_id: "app", redirect_uri: redirectUri };
    assertEquals((await kit.redeem(code, fields)).status, 200);
    assertEquals(fetched, [{
      url: objectUri,
      method: "GET",
      headers: { Accept: "application/oauth-authz-req+jwt, application/jwt, text/plain" },
      redirect: "manual",
    }]);
  });

  it.inPublishing("O16 can be named in a request by POST, and is fetched once for it", async ({ kit, fetched, publishObject }) => {
    await publishObject();
    const fields = { client_id: "app", request_uri: objectUri };
    const response = await kit.post("/oauth2/authorize", fields);
    const location = new URL(response.headers.get("Location") ?? "", kit.issuer);
    const callback = new URL(await kit.browser().authorize(location.href));
    assertEquals([callback.searchParams.get("state"), fetched.length], ["inside", 1]);
  });

  it(
    "O17 satisfies a client that must sign, and not one that must push",
    needs("pushed authorization requests"),
    async () => {
      const signing = openPublishing({ requireSignedRequest: true });
      await signing.publishObject();
      assert((await signing.authorize()).has("code"));
      const pushing = openPublishing({ requirePar: true });
      await pushing.publishObject();
      assertEquals((await pushing.authorize()).get("error"), "invalid_request");
    },
  );

  const types = ["application/oauth-authz-req+jwt", "application/jwt", "text/plain"];
  for (const type of [...types, "Application/JWT; charset=utf-8"]) {
    it.inPublishing(`O17 may have the media type ${type}`, async ({ kit, publish, authorize }) => {
      const object = await key.sign(claims(kit));
      publish(() => jwtResponse(`${object}\n`, type));
      assert((await authorize()).has("code"));
    });
  }

  it.inPublishing("O17 has all parameters but the client_id: those outside do not count", async ({ publishObject, authorize }) => {
    await publishObject({ state: undefined, nonce: "inside" });
    const outside: Fields = {
      state: "outside",
      redirect_uri: "https://evil.example/",
      response_type: "token",
      scope: "read",
    };
    const parameters = await authorize(objectUri, outside);
    assertEquals([parameters.has("code"), parameters.has("state")], [true, false]);
  });

  it.inPublishing("O17 is refused besides an object by value, and nothing is fetched", async ({ kit, fetched, publishObject, open }) => {
    const request = await publishObject();
    const page = await open(objectUri, { request });
    assertEquals([page.status, fetched.length], [400, 0]);
    assertEquals(kit.events.some((event) => event.type === "outbound.failed"), false);
  });
});

describe("A request_uri that its client did not register", () => {
  const uris: Record<string, string> = {
    "of another file": "https://app.example/other.jwt",
    "with a query": `${objectUri}?x`,
    "with a fragment": `${objectUri}#x`,
    "with another spelling": "https://APP.example/request.jwt",
    "of a private address": "https://169.254.169.254/latest/meta-data",
  };
  for (const [what, uri] of Object.entries(uris)) {
    it.inPublishing(`O02 is request_uri_not_supported, and not fetched: one ${what} (CVE-2020-10770)`, async ({ kit, fetched }) => {
      const url = kit.authorizationUrl({ client_id: "app", request_uri: uri });
      const { url: callback } = await kit.browser().open(url);
      assertEquals(new URL(callback).searchParams.get("error"), "request_uri_not_supported");
      assertEquals(fetched, []);
    });
  }

  it.inPublishing("O02 is request_uri_not_supported, and not fetched, if another client registered it", async ({ kit, fetched }) => {
    const url = kit.authorizationUrl({ client_id: "other", request_uri: objectUri });
    const { url: callback } = await kit.browser().open(url);
    assertEquals(new URL(callback).searchParams.get("error"), "request_uri_not_supported");
    assertEquals(fetched, []);
  });

  it("O02 is request_uri_not_supported, and not fetched, where the setting is off", async () => {
    const { kit, fetched } = openPublishing({ requestUris: [] }, { requestUris: false });
    const url = kit.authorizationUrl({ client_id: "app", request_uri: objectUri });
    const { url: callback } = await kit.browser().open(url);
    assertEquals(new URL(callback).searchParams.get("error"), "request_uri_not_supported");
    assertEquals(fetched, []);
  });
});

describe("A request object by reference that cannot be used", () => {
  it("O17 O18 is invalid_request_uri on one page, which does not show what failed", async () => {
    const texts = new Set<string>();
    for (const [what, respond] of Object.entries(failures)) {
      const { kit, publish, open } = openPublishing();
      publish(() => respond(kit));
      const page = await open();
      assertEquals([page.status, page.headers.get("Location")], [400, null], what);
      texts.add(textOf(page.html.replace(/<dd id="request">[^<]*/, "")));
      assertMatch(page.html, /<code id="error">invalid_request_uri</, what);
      const reasons = kit.events.flatMap((event) =>
        event.type === "outbound.failed" ? [`${event.what} ${event.url} ${event.reason}`] : []
      );
      assertEquals(reasons.length, 1, what);
      assert(reasons[0]?.startsWith(`request object ${objectUri} `), reasons[0]);
    }
    assertEquals(texts.size, 1);
  });

  it("O18 does not come within five seconds", async () => {
    await withClock(async (advance) => {
      const { kit, fetched, publish, open } = openPublishing();
      publish(() => new Promise(() => {}));
      const page = open();
      await until(() => fetched.length > 0);
      await advance(5000);
      assertEquals((await page).status, 400);
      const failed = kit.events.find((event) => event.type === "outbound.failed");
      assertEquals(failed?.type === "outbound.failed" && failed.reason, "no response in time");
    });
  });

  it("O18 is at a private address: the guarded fetch does not connect to it", async () => {
    for (const host of ["127.0.0.1", "10.0.0.1", "[::1]", "169.254.169.254", "[::ffff:10.0.0.1]"]) {
      const requestUri = `https://${host}/request.jwt`;
      const { kit, open } = openPublishing(
        { requestUris: [requestUri] },
        { fetchUntrusted: guardedFetch() },
      );
      assertEquals((await open(requestUri)).status, 400);
      const failed = kit.events.find((event) => event.type === "outbound.failed");
      assertMatch(failed?.type === "outbound.failed" ? failed.reason : "", /no public address/);
    }
  });
});

describe("Request objects by reference are fetched", () => {
  it.inPublishing("O18 each time, unless the fragment of the URI is the hash of the object", async ({ kit }) => {
    const object = await key.sign(claims(kit));
    const uris: Array<[uri: string, fetches: number]> = [
      [objectUri, 3],
      [`${objectUri}#${await sha256("another object")}`, 3],
      [await withHash(objectUri, object), 1],
    ];
    for (const [uri, fetches] of uris) {
      const { fetched, publish, authorize } = openPublishing({ requestUris: [uri] });
      publish(() => jwtResponse(object));
      for (let count = 0; count < 3; count++) assert((await authorize(uri)).has("code"));
      assertEquals(fetched.map(({ url }) => url), Array(fetches).fill(objectUri), uri);
    }
  });

  it.inPublishing("O18 and verified each time: one that was cached expires", async ({ kit }) => {
    const object = await key.sign(claims(kit));
    const uri = await withHash(objectUri, object);
    const cached = openPublishing({ requestUris: [uri] });
    cached.publish(() => jwtResponse(object));
    assert((await cached.authorize(uri)).has("code"));
    cached.kit.clock.advance(400);
    assertEquals([(await cached.open(uri)).status, cached.fetched.length], [400, 1]);
  });

  /** Opens twelve pages at once, of a site that responds once all have begun. */
  async function openTwelve(publishing: PublishingKit, addressOf: (at: number) => string) {
    const { kit, fetched, publish, open } = publishing;
    const object = await key.sign(claims(kit));
    const released = createDeferred<void>();
    publish(() => released.promise.then(() => jwtResponse(object)));
    const pages = Array.from({ length: 12 }, (_, at) => {
      kit.address = addressOf(at);
      return open();
    });
    await until(() => false);
    released.resolve();
    const statuses = (await Promise.all(pages)).map(({ status }) => status);
    return { statuses: new Set(statuses), fetches: fetched.length };
  }

  it.inPublishing("O18 one at a time from a URI for one sender", async (publishing) => {
    const opened = await openTwelve(publishing, () => "192.0.2.1");
    assertEquals(opened, { statuses: new Set([200]), fetches: 1 });
  });

  it("O18 for each sender until the budget of the client is used up: others share a fetch", async () => {
    const publishing = openPublishing({}, { documentsPerMinute: 1 });
    const opened = await openTwelve(publishing, (at) => `192.0.2.${at}`);
    assertEquals(opened, { statuses: new Set([200]), fetches: 10 });
  });

  it("O18 without waiting in the queue of the sender that asked first", async () => {
    const slow = Array.from({ length: 60 }, (_, at) => `https://app.example/slow${at}.jwt`);
    const limits = { documentsPerMinute: 100 };
    const publishing = openPublishing({ requestUris: [objectUri, ...slow] }, limits);
    const { kit, fetched, publish, open } = publishing;
    const object = await key.sign(claims(kit));
    const released = createDeferred<void>();
    publish(async (url) => {
      if (url !== objectUri) await released.promise;
      return jwtResponse(object);
    });
    const from = (address: string, uri?: string) => {
      kit.address = address;
      return open(uri);
    };
    const attack = slow.map((uri) => from("192.0.2.66", uri));
    await until(() => fetched.length === 40);
    assertEquals(fetched.length, 40);
    const served: string[] = [];
    const byAttacker = from("192.0.2.66").then(() => served.push("attacker"));
    await until(() => false);
    const byOffice = from("198.51.100.7").then(({ status }) => served.push(`office ${status}`));
    await until(() => served.length > 0, 10_000);
    assertEquals(served, ["office 200"]);
    released.resolve();
    await Promise.all([...attack, byAttacker, byOffice]);
  });

  it("O18 a few times a minute for one sender: another one is served", async () => {
    const publishing = openPublishing({}, { documentsPerMinute: 3 });
    const { kit, fetched } = publishing;
    await publishing.publishObject();
    kit.address = "192.0.2.1";
    assertEquals(await statusesOf(publishing, 5), [200, 200, 200, 429, 429]);
    kit.address = "198.51.100.1";
    assertEquals(await statusesOf(publishing, 1), [200]);
    assertEquals(fetched.length, 4);
    kit.clock.advance(60);
    kit.address = "192.0.2.1";
    assertEquals(await statusesOf(publishing, 1), [200]);
  });

  it("O18 ten times as often for one client, whoever asks", async () => {
    const publishing = openPublishing({}, { documentsPerMinute: 1 });
    const { kit, fetched } = publishing;
    await publishing.publishObject();
    const statuses: number[] = [];
    for (let sender = 1; sender <= 12; sender++) {
      kit.address = `192.0.2.${sender}`;
      statuses.push(...await statusesOf(publishing, 1));
    }
    assertEquals(statuses.slice(9), [200, 429, 429]);
    assertEquals(fetched.length, 10);
  });

  it.inPublishing("O18 for free if they are cached", async ({ kit }) => {
    const object = await key.sign(claims(kit));
    const uri = await withHash(objectUri, object);
    const cached = openPublishing({ requestUris: [uri] }, { documentsPerMinute: 1 });
    cached.kit.address = "192.0.2.1";
    cached.publish(() => jwtResponse(object));
    for (let count = 0; count < 3; count++) {
      assertNotEquals((await cached.open(uri)).status, 429);
    }
  });
});
