import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { responseLocation } from "../../../../src/server/protocol/authorization_response.ts";
import { isClientIdUrl } from "../../../../src/server/protocol/client_trust.ts";
import {
  issuerProblem,
  issuerUrl,
  pathWithinIssuer,
  wellKnownPaths,
} from "../../../../src/server/protocol/issuer_url.ts";
import {
  describeReceiver,
  redirectUriMatches,
  redirectUriProblem,
} from "../../../../src/server/protocol/redirect_uri.ts";
import { isAudience, isResourceUri } from "../../../../src/server/protocol/resource.ts";
import { isPublicAddress } from "../../../../src/server/util/addresses/ip_address.ts";
import { isAbsoluteUri } from "../../../../src/server/util/addresses/uri.ts";
import { type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { anyText, mutated } from "../generators/texts.ts";
import { anyUri } from "../generators/values.ts";

const runs = ["javascript:", "data:", "vbscript:", "file:", "blob:", "about:"];
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

const address = mutated(fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  fc.constantFrom("169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2130706433", "0x7f.1"),
));

/** URIs and their rules. */
export const uriTargets: readonly FuzzTarget[] = [
  fuzzTarget("redirectUriProblem accepts only URIs that redirect", anyUri, (uri) => {
    if (redirectUriProblem(uri) !== undefined) return;
    const { protocol, hostname, username, password, hash } = new URL(uri);
    assert(!runs.includes(protocol), protocol);
    assertEquals([username, password, hash], ["", "", ""]);
    assert(protocol !== "http:" || loopbackHosts.includes(hostname), hostname);
    // What another parser finds before the path is what this one finds.
    if (protocol === "https:" || protocol === "http:") {
      const written = /^[a-z]+:\/\/(\[[^\]]*\]|[^/?#:]+)/i.exec(uri)?.[1] ?? "";
      const isAddress = /^[\d.]+$|^\[/.test(hostname);
      assert(isAddress || written.toLowerCase() === hostname, hostname);
    }
    assert(describeReceiver(uri) !== "");
  }),

  fuzzTarget(
    "redirectUriMatches lets only the port of a loopback URI differ",
    fc.tuple(anyUri, anyUri, fc.boolean()),
    ([registered, requested, native]) => {
      if (!redirectUriMatches(registered, requested, native)) return;
      if (registered === requested) return;
      assert(native);
      const [one, other] = [new URL(registered), new URL(requested)];
      assert(one.protocol === "http:" && loopbackHosts.includes(one.hostname));
      one.port = other.port;
      assertEquals(one.href, other.href);
    },
  ),

  fuzzTarget(
    "redirectUriMatches follows no changed port of the web",
    fc.tuple(fc.constantFrom("http://127.0.0.1/cb", "http://[::1]:8080/cb?x=1"), anyText),
    ([registered, tail]) => {
      const requested = registered + tail;
      assertEquals(redirectUriMatches(registered, requested, true), tail === "");
    },
  ),

  fuzzTarget(
    "responseLocation keeps the URI, and every parameter",
    fc.tuple(anyUri, fc.dictionary(fc.string({ minLength: 1 }), anyText, { maxKeys: 4 })),
    ([redirectUri, parameters]) => {
      if (redirectUriProblem(redirectUri) !== undefined) return;
      const sendable = Object.entries(parameters)
        .filter(([name, value]) => /^\w+$/.test(name) && value.isWellFormed());
      const location = responseLocation(
        { redirectUri, mode: "query" },
        Object.fromEntries(sendable),
      );
      assert(location.startsWith(redirectUri) && /^[\x21-\x7e]*$/.test(location), location);
      const own = new URL(redirectUri).searchParams;
      for (const [name, value] of sendable) {
        if (!own.has(name)) assertEquals(new URL(location).searchParams.getAll(name), [value]);
      }
    },
  ),

  fuzzTarget("isClientIdUrl accepts only canonical https URLs", anyUri, (uri) => {
    if (!isClientIdUrl(uri)) return;
    const { href, protocol, pathname, search, hash, username } = new URL(uri);
    assertEquals([href, protocol, search, hash, username], [uri, "https:", "", "", ""]);
    assert(pathname.length > 1);
  }),

  fuzzTarget("issuerProblem accepts issuers whose paths come back", anyUri, (issuer) => {
    if (issuerProblem(issuer, true) !== undefined) return;
    const { pathname, search, hash } = new URL(issuer);
    assertEquals([search, hash], ["", ""]);
    const base = pathname.replace(/\/$/, "");
    assert(issuerUrl(issuer, "/x").endsWith(`${base}/x`));
    for (const path of wellKnownPaths(issuer, "/.well-known/openid-configuration")) {
      assertEquals(pathWithinIssuer(path, base), "/.well-known/openid-configuration");
    }
  }),

  fuzzTarget("resources are absolute", anyUri, (uri) => {
    if (isResourceUri(uri)) assertEquals(new URL(uri).hash, "");
    if (isAudience(uri)) assert(/^[\x21-\x7e]+$/.test(uri));
    if (isAbsoluteUri(uri)) assert(/^[\x21-\x7e]+$/.test(new URL(uri).hostname + "x"));
  }),

  fuzzTarget("isPublicAddress accepts no address of this machine", address, (text) => {
    if (!isPublicAddress(text)) return;
    const { hostname } = new URL(`http://${text.includes(":") ? `[${text}]` : text}/`);
    const forbidden = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^\[(::1?\]|f[cdef])/;
    assert(!forbidden.test(hostname), hostname);
  }),
];
