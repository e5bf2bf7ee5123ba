import fc, { type Arbitrary } from "fast-check";
import { base64url } from "jose";
import { redirectUris } from "../../../support/corpora.ts";
import { anyText, hostilePiece, mutated } from "./texts.ts";

const lookAlikes = redirectUris.flatMap(({ registered, lookAlikes }) => [
  registered,
  ...Object.values(lookAlikes).flat(),
]);

const schemes = ["https", "http", "HTTPS", "com.example.app", "javascript", "data", "ws", "a1+-.b"];
const hosts = [
  ...["app.example", "APP.example", "localhost", "127.0.0.1", "[::1]", "evil.example", "xn--a"],
  ...[
    "a_b.example",
    "127.1",
    "0x7f.1",
    "[::ffff:127.0.0.1]",
    "app.example.",
    "a..b",
    "app,example",
  ],
];

/** URIs, and what is almost one. */
export const anyUri: Arbitrary<string> = mutated(fc.oneof(
  fc.constantFrom(...lookAlikes),
  fc.tuple(
    fc.constantFrom(...schemes),
    fc.constantFrom("://", ":", ":/", ":///", "//"),
    fc.oneof(fc.constant(""), hostilePiece.map((user) => `${user}@`)),
    fc.constantFrom(...hosts),
    fc.oneof(fc.constant(""), fc.integer({ min: -1, max: 70_000 }).map((port) => `:${port}`)),
    fc.constantFrom("", "/", "/cb", "/a/../cb", "/%63b", "/cb;x", "//cb"),
    fc.constantFrom("", "?", "?x=1", "?x=1&y", "#", "#x"),
  ).map((parts) => parts.join("")),
));

const claimNames = ["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "client_id", "scope", "typ"];

const anyName: Arbitrary<string> = fc.oneof(fc.constantFrom(...claimNames), anyText);

/** JSON that is nested, and has names that mean something. */
export const anyJson: Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(anyName, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

/** Makes an object; unlike an assignment, it may have an own member `__proto__`. */
function objectOf(entries: ReadonlyArray<readonly [string, unknown]>): object {
  return JSON.parse(
    `{${
      entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()
    }}`,
  );
}

/** JSON as text, and what is almost JSON. */
export const anyJsonText: Arbitrary<string> = mutated(
  anyJson.map((value) => JSON.stringify(value)),
);

/** Encodes a part of a JWT. */
export function encodePart(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return base64url.encode(text);
}

const jwtHeader = fc.record({
  alg: fc.oneof(fc.constantFrom("RS256", "none", "HS256", "ES256", "EdDSA"), anyJson),
  typ: fc.oneof(fc.constantFrom("JWT", "at+jwt", "dpop+jwt", "logout+jwt"), anyJson),
  kid: anyJson,
  jwk: anyJson,
  crit: anyJson,
}, { requiredKeys: [] });

const jwtClaims = fc.record({
  iss: fc.oneof(fc.constant("https://hallpass.test"), anyJson),
  sub: fc.oneof(fc.constantFrom("demo-jwt", "alice"), anyJson),
  aud: fc.oneof(fc.constant("https://hallpass.test"), anyJson),
  exp: fc.oneof(fc.integer(), anyJson),
  iat: fc.oneof(fc.integer(), anyJson),
  jti: anyJson,
  client_id: anyJson,
  scope: anyJson,
  act: anyJson,
  cnf: anyJson,
  events: anyJson,
}, { requiredKeys: [] });

/** JWTs that nobody signed, and what is almost one. */
export const anyJwt: Arbitrary<string> = mutated(
  fc.tuple(
    fc.oneof(jwtHeader, anyJson),
    fc.oneof(jwtClaims, anyJson),
    fc.constantFrom("", "AAAA", "A", "e30", "!"),
  ).map(([header, claims, signature]) =>
    `${encodePart(header)}.${encodePart(claims)}.${signature}`
  ),
);

/** Claims of any shape, with names and values that mean something. */
export const anyClaims: Arbitrary<Record<string, unknown>> = fc.dictionary(
  fc.oneof(
    fc.constantFrom("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_id", "scope"),
    fc.constantFrom("resource", "request", "typ", "redirect_uri", "state"),
    hostilePiece,
  ),
  fc.oneof(fc.constantFrom<unknown>("https://hallpass.test", "demo-jwt", 1_767_225_600), anyJson),
  { noNullPrototype: true },
);
