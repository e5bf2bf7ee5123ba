import { assert, assertEquals } from "@std/assert";
import fc, { type Arbitrary } from "fast-check";
import { acceptedLanguages, wantsPage } from "../../../../src/server/http/accept.ts";
import { createOriginReader } from "../../../../src/server/http/client_address.ts";
import { createCookieJar } from "../../../../src/server/http/cookies.ts";
import {
  createIncomingRequest,
  mediaType,
  readForm,
  readJson,
} from "../../../../src/server/http/incoming_request.ts";
import { cacheLifetime } from "../../../../src/server/http/outbound_fetch.ts";
import { createRouter } from "../../../../src/server/http/router.ts";
import { formatChallenge } from "../../../../src/server/protocol/oauth_error.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { parseAddress } from "../../../../src/server/util/addresses/address_spelling.ts";
import {
  isInNetwork,
  parseNetwork,
  senderNetwork,
} from "../../../../src/server/util/addresses/network.ts";
import { parseDuration } from "../../../../src/server/util/time/duration.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { anyForm } from "../generators/forms.ts";
import { anyText, hostilePieces, mutated } from "../generators/texts.ts";
import { anyJsonText } from "../generators/values.ts";

const constants = fc.constantFrom;
const origin = "https://hallpass.test";

/** A value that a header can have: bytes without line breaks. */
function headerOf(texts: Arbitrary<string>): Arbitrary<string> {
  // deno-lint-ignore no-control-regex
  return mutated(texts).map((text) => text.replace(/[^\x01-\x09\x0b\x0c\x0e-\xff]/g, ""));
}

function requestWith(headers: Record<string, string>): Request {
  return new Request(origin, { headers });
}

const address = mutated(fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  constants("[2001:db8::1]:443", "192.0.2.1:4711", "fe80::1%eth0", "::ffff:192.0.2.1"),
));

const contentType = headerOf(constants(
  ...["application/x-www-form-urlencoded", "application/json; charset=utf-8", "text/plain"],
));

const routes = [
  { method: "GET", path: "/oauth2/authorize" },
  { method: "GET", path: "/oauth2/interaction/:id" },
  { method: "POST", path: "/oauth2/interaction/:id/sign-in" },
] as const;

/** Headers, bodies and paths. */
export const httpTargets: readonly FuzzTarget[] = [
  fuzzTarget(
    "readForm and readJson refuse or read any body",
    fc.tuple(fc.oneof(anyForm, anyJsonText), contentType, fc.boolean()),
    async ([body, type, hasLength]) => {
      const bytes = new TextEncoder().encode(body);
      const headers = {
        "Content-Type": type,
        ...hasLength && { "Content-Length": `${bytes.length}` },
      };
      const send = () => new Request(origin, { method: "POST", headers, body: bytes });
      assert(!mediaType(send().headers).includes(";"));
      const sent = () => ({ apply: applyRule, request: createIncomingRequest(send()) });
      await acceptedBy(() => readForm(sent()));
      await acceptedBy(() => readJson(sent()));
    },
  ),

  fuzzTarget(
    "Accept and Accept-Language have an order",
    fc.tuple(headerOf(constants("text/html,*/*;q=0.8")), headerOf(constants("de, en;q=0.5"))),
    ([accept, language]) => {
      const { headers } = requestWith({ Accept: accept, "Accept-Language": language });
      assertEquals(typeof wantsPage(headers), "boolean");
      const languages = acceptedLanguages(headers);
      assert(languages.every((each) => each === each.trim() && !each.includes(",")));
    },
  ),

  fuzzTarget("parseAddress has one spelling for an address", address, (text) => {
    const parsed = parseAddress(text);
    if (parsed === undefined) return;
    assertEquals(parseAddress(parsed), parsed);
    assert(!senderNetwork(parsed).includes("NaN"), senderNetwork(parsed));
  }),

  fuzzTarget(
    "a network contains the address that names it",
    fc.tuple(address, fc.nat(140)),
    ([text, bits]) => {
      const network = parseNetwork(`${text}/${bits}`);
      const own = parseAddress(text);
      if (network && own !== undefined) assert(isInNetwork(own, network));
    },
  ),

  fuzzTarget(
    "X-Forwarded-For of a peer that is not trusted is not read",
    fc.tuple(headerOf(address), fc.boolean()),
    ([forwarded, isTrusted]) => {
      const request = createIncomingRequest(requestWith({ "X-Forwarded-For": forwarded }), {
        peer: "192.0.2.9",
      });
      const read = createOriginReader(isTrusted ? ["192.0.2.9"] : []);
      const sender = read(request).address;
      if (!isTrusted) assertEquals(sender, "192.0.2.9");
      assertEquals(sender, parseAddress(sender ?? ""));
    },
  ),

  fuzzTarget("cookies are read as they were written", headerOf(anyText), (header) => {
    const jar = createCookieJar({ issuer: origin, frontChannelUrl: origin });
    const [, written] = jar.write("session", "value");
    const [own = ""] = written.split(";");
    const before = jar.read(requestWith({ Cookie: `${own}; ${header}` }).headers, "session");
    assertEquals(before, "value");
    const alone = jar.read(requestWith({ Cookie: header }).headers, "session");
    assert(alone === undefined || header.includes(own.split("=", 1).join()));
  }),

  fuzzTarget(
    "cacheLifetime stays within its limits",
    headerOf(constants("max-age=60", "no-store", "public, max-age=99999999999")),
    (control) => {
      const limits = { min: 5, max: 100, byDefault: 50 };
      const lifetime = cacheLifetime(new Headers({ "Cache-Control": control }), limits);
      assert(lifetime >= 5 && lifetime <= 100, `${lifetime}`);
    },
  ),

  fuzzTarget("the router finds what a path names", mutated(constants(...paths())), (path) => {
    const { route, segment } = createRouter(routes)("GET", path);
    if (route?.path.includes(":")) assert(segment !== "" && !segment.includes("/"));
    else if (route) assertEquals(path, route.path);
  }),

  fuzzTarget("a challenge is one header value", anyText, (realm) => {
    const written = realm.replace(/[^\x20-\x7e]/g, "?");
    const challenge = { scheme: "Bearer" as const, members: { scope: written }, namesError: true };
    const value = formatChallenge(challenge, written, { error: written });
    const unescaped = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
      .map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
    assertEquals(unescaped, [written, written, written]);
  }),

  fuzzTarget("parseDuration gives a finite number", mutated(constants("5m", "1h", "500ms")), (
    text,
  ) => {
    const seconds = parseDuration(text);
    if (seconds !== undefined) assert(Number.isFinite(seconds) && seconds >= 0, `${seconds}`);
  }),
];

function paths(): string[] {
  return ["/oauth2/authorize", "/oauth2/interaction/x", "/oauth2/interaction/x/sign-in"]
    .concat(hostilePieces.map((piece) => `/oauth2/interaction/${piece}`));
}
