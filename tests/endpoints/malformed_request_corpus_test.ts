import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../src/server/features.ts";
import { clientEndpoints, formPaths, plainGrantTypes } from "../features.ts";
import { bytesOf, type MalformedBody, malformedRequests } from "../support/corpora.ts";
import { basic, challenge, type Kit, openKit, read } from "../support/kit.ts";
import { watchedStore } from "../support/stores.ts";
import { hasFeature } from "../support/where_feature.ts";

const { forms, documents, authorizationQueries } = malformedRequests;

const formType = "application/x-www-form-urlencoded";
const redirectUri = "https://app.example/cb";

const clients: ClientConfig[] = [{
  id: "web",
  secret: "a-secret-of-the-web-client",
  redirectUris: [redirectUri],
  grantTypes: [...plainGrantTypes],
  scopes: ["openid", "read"],
}];

const { Authorization } = basic("web", "a-secret-of-the-web-client");

/** What all clientEndpoints accept, each ignoring the parameters of the others. */
const validFields = {
  grant_type: "client_credentials",
  token: "a",
  login_hint: "alice",
  response_type: "code",
  redirect_uri: redirectUri,
  code_challenge: challenge,
  code_challenge_method: "S256",
};

/** Only a request about a user has the scope `openid`. */
function validForm(path: string): string {
  const scope = path.endsWith("backchannel_authentication") ? "openid" : "read";
  return new URLSearchParams({ ...validFields, scope }).toString();
}

/** How the bytes of a body arrive. Only bodies with a length are read at once. */
const deliveries = ["with a length", "in pieces"] as const;

/** A request with a body, and how it is sent. */
interface Sending {
  path: string;
  body: MalformedBody;
  ordinaryType: string;
  delivery: typeof deliveries[number];
}

function send(kit: Kit, { path, body, ordinaryType, delivery }: Sending): Promise<Response> {
  const bytes = bytesOf(body, validForm(path));
  const headers = new Headers({ Authorization });
  const type = body.type ?? ordinaryType;
  if (type !== "") headers.set("Content-Type", type);
  if (delivery === "with a length") headers.set("Content-Length", `${bytes.length}`);
  const content = delivery === "with a length" ? { body: bytes } : { body: inPieces(bytes) };
  const init = { method: "POST", headers, duplex: "half", ...content };
  const request = new Request(kit.issuer + path, init);
  // A request gets a type by itself if its body is a text.
  if (type === "") request.headers.delete("Content-Type");
  return kit.server.fetch(request);
}

/** Cuts a body into pieces, which may end in the middle of a character. */
function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.floor(bytes.length / 50));
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.slice(at, at + size));
      }
      controller.close();
    },
  });
}

/** One form of each kind: with the same outcome and the same kind of type. */
const kindsOfForms = [
  ...new Map(forms.map((form) => [`${form.status} ${form.type}`, form])).values(),
];

/** Checks that a form is refused however it is sent, and that nothing is stored. */
async function checkRefused(endpoint: string, form: MalformedBody): Promise<void> {
  const store = watchedStore();
  const kit = openKit({ clients, store });
  const path = `/oauth2/${endpoint}`;
  for (const delivery of deliveries) {
    const sending = { path, body: form, ordinaryType: formType, delivery };
    const { status, body } = await read(await send(kit, sending));
    const place = `${endpoint}, ${form.what}, sent ${delivery}`;
    assertEquals([status, body.error], [form.status ?? 400, "invalid_request"], place);
  }
  assertEquals(store.writes, []);
}

describe("The corpus of malformed forms", () => {
  it("has at least 80 bodies, documents and queries", () => {
    assert(forms.length + documents.length + authorizationQueries.length >= 80);
  });

  for (const delivery of deliveries) {
    it(`is about requests that succeed without what is malformed, sent ${delivery}`, async () => {
      const kit = openKit({ clients });
      const body = { what: "a valid form", body: "VALID" };
      for (const endpoint of clientEndpoints) {
        const path = `/oauth2/${endpoint}`;
        const { status } = await send(kit, { path, body, ordinaryType: formType, delivery });
        assert([200, 201].includes(status), `${endpoint}: ${status}`);
      }
    });
  }

  for (const form of forms) {
    it(`T02 T03 refuses ${form.what}, however it is sent`, () => checkRefused("token", form));
  }

  for (const endpoint of clientEndpoints) {
    it(`T02 T03 is refused at /oauth2/${endpoint} by the same rule`, async () => {
      for (const form of kindsOfForms) await checkRefused(endpoint, form);
    });
  }

  for (const path of formPaths) {
    it(`shows no page at ${path}, and redirects nowhere`, async () => {
      const kit = openKit({ clients });
      for (const form of forms) {
        const sending = { path, body: form, ordinaryType: formType } as const;
        const { status } = await send(kit, { ...sending, delivery: "in pieces" });
        assert(status >= 400 && status < 500, `${form.what}: ${status}`);
      }
    });
  }
});

if (hasFeature("registration")) {
  describe("The corpus of malformed documents (RFC 7591, section 3.1)", () => {
    for (const document of documents) {
      it(`refuses ${document.what} as client metadata, however it is sent`, async () => {
        const store = watchedStore();
        const kit = openKit({ store });
        const sending = {
          path: "/oauth2/register",
          body: document,
          ordinaryType: "application/json",
        };
        for (const delivery of deliveries) {
          const { status, body } = await read(await send(kit, { ...sending, delivery }));
          assertEquals(status, document.status ?? 400, delivery);
          assert(["invalid_request", "invalid_client_metadata"].includes(body.error), body.error);
        }
        assertEquals(store.writes, []);
      });
    }
  });
}

describe("The corpus of malformed authorization requests", () => {
  for (const { what, extra, outcome } of authorizationQueries) {
    it(`A04 A11 refuses ${what} by a ${outcome}`, async () => {
      const store = watchedStore();
      const kit = openKit({ store });
      const request = new Request(`${kit.authorizationUrl()}&${extra}`);
      const { status, headers } = await kit.server.fetch(request);
      const location = new URL(headers.get("Location") ?? "none:");
      const wasRedirected = location.searchParams.get("error") !== null;
      assertEquals(status, outcome === "page" ? 400 : 303);
      assertEquals(
        [location.protocol === "https:", wasRedirected],
        outcome === "page" ? [false, false] : [true, true],
      );
      assertEquals(store.writes, []);
    });
  }
});
