import { assert, assertEquals, assertMatch } from "@std/assert";
import { base64url, SignJWT } from "jose";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { type ExplainedJwt, explainJwt } from "../../../src/lab/tokens/explain_jwt.ts";
import { explainToken } from "../../../src/lab/tokens/explain_token.ts";
import { findNote } from "../../../src/lab/tokens/notes.ts";
import { present } from "../../support/present.ts";

const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;

/** Writes a JWT whose signature is nonsense. */
function write(header: object, claims: object): string {
  const encode = (part: object) => base64url.encode(JSON.stringify(part));
  return `${encode(header)}.${encode(claims)}.AAAA`;
}

function explain(header: object, claims: object): ExplainedJwt {
  return present(explainJwt(write(header, claims), now));
}

describe("explainJwt", () => {
  const names: Array<[name: string, header: object, claims: object]> = [
    ["Access token (RFC 9068)", { typ: "at+jwt" }, {}],
    ["Access token (RFC 9068)", { typ: "application/AT+JWT" }, {}],
    ["DPoP proof (RFC 9449)", { typ: "dpop+jwt" }, { htm: "POST" }],
    ["ID token (OpenID Connect)", { typ: "JWT" }, { sub: "alice", aud: "spa" }],
    ["Access token", {}, { sub: "alice", aud: "api", client_id: "spa", scope: "" }],
    ["Client assertion (RFC 7523)", {}, { iss: "spa", sub: "spa", aud: "issuer" }],
    ["Request object (RFC 9101)", {}, { iss: "spa", response_type: "code" }],
    ["Authorization response (JARM)", {}, { iss: "issuer", aud: "spa", code: "c" }],
    ["Logout token (OpenID Connect Back-Channel Logout)", {}, { events: {} }],
    ["JWT", { typ: "toString" }, {}],
  ];
  for (const [name, header, claims] of names) {
    it(`recognizes ${name} with ${JSON.stringify({ header, claims })}`, () => {
      assertEquals(explain(header, claims).name, name);
    });
  }

  const validities: Array<[text: string, tone: string, claims: object]> = [
    ["It expires in 5 minutes.", "good", { exp: seconds + 300 }],
    ["It expired 2 days ago.", "bad", { exp: seconds - 2 * 86400 }],
    ["It expired now.", "bad", { exp: seconds }],
    ["It becomes valid in 1 hour.", "bad", { nbf: seconds + 3600, exp: seconds + 7200 }],
    ["It names no time of expiry.", "neutral", {}],
    ["Its 'exp' is not a number of seconds.", "bad", { exp: "tomorrow" }],
    ["Its 'exp' is not a number of seconds.", "bad", { exp: 1e300 }],
  ];
  for (const [text, tone, claims] of validities) {
    it(`says of ${JSON.stringify(claims)}: ${text}`, () => {
      assertEquals(explain({}, claims).validity, { text, tone });
    });
  }

  it("writes times in words, and leaves other numbers alone", () => {
    const { explainedClaims } = explain({}, { iat: seconds - 60, expires_in: 5, auth_time: "x" });
    assertEquals(Object.fromEntries(explainedClaims.map(({ name, inWords }) => [name, inWords])), {
      iat: "2025-12-31 23:59:00 UTC, 1 minute ago",
      expires_in: undefined,
      auth_time: "not a number of seconds",
    });
  });

  it("has the claims of the protocol first, and then those about the user in their order", () => {
    const { explainedClaims } = explain({}, { name: "A", exp: 1, email: "e", aud: "c", iss: "i" });
    assertEquals(explainedClaims.map(({ name }) => name), ["iss", "aud", "exp", "name", "email"]);
  });

  it("explains claims that a specification defines, and no others", () => {
    const { explainedClaims } = explain({}, { sub: "alice", mine: 1, constructor: 2 });
    assertMatch(explainedClaims[0]?.note?.see ?? "", /RFC 7519/);
    assertEquals(explainedClaims.slice(1).map(({ note }) => note), [undefined, undefined]);
    assertEquals(findNote("claim", "toString"), undefined);
  });

  for (const text of ["", "opaque", "a.b", "a.b.c", "e30.e30", "MQ.MQ.MQ", "e30.e30.x.y.z"]) {
    it(`is undefined for '${text}', which is no JWT`, () => {
      assertEquals(explainJwt(text, now), undefined);
    });
  }
});

describe("explainToken", () => {
  const open = () => openLab({ issuer: "https://hallpass.test", now: () => now });

  it("verifies the tokens of the lab with its keys", async () => {
    await using lab = open();
    const { access_token, id_token } = await lab.mint({ sub: "alice", scope: "openid" });
    for (const token of [access_token, id_token]) {
      const { signature } = present(await explainToken(lab, present(token)));
      assertEquals(signature.tone, "good");
      assertMatch(signature.text, /key '.+' of this lab \((RS|ES|PS)256\)/);
    }
  });

  it("recognizes a changed token", async () => {
    await using lab = open();
    const [header, , signature] = (await lab.mint({ sub: "alice" })).token.split(".");
    const claims = base64url.encode(JSON.stringify({ iss: lab.issuer, sub: "bob" }));
    const explained = await explainToken(lab, `${header}.${claims}.${signature}`);
    assertMatch(explained?.signature.text ?? "", /^The signature is wrong/);
  });

  it("says whether the lab accepts an access token", async () => {
    await using lab = open();
    const { token } = await lab.mint({ sub: "alice", expiresIn: "1h" });
    const stateNow = async () => (await explainToken(lab, token))?.state?.tone;
    assertEquals(await stateNow(), "good");
    lab.clock.advance("2h");
    assertEquals(await stateNow(), "bad");
  });

  it("verifies with the secret of a client, and the keys of a client", async () => {
    await using lab = openLab({
      issuer: "https://hallpass.test",
      clients: [{
        id: "web",
        secret: "a-secret-with-32-letters-or-more",
        redirectUris: ["https://app.example/cb"],
        idTokenAlg: "HS256",
      }],
    });
    const { id_token } = await lab.mint({ sub: "alice", client: "web", scope: "openid" });
    const explained = await explainToken(lab, present(id_token));
    assertEquals(explained?.signature.text, "The signature is valid: the secret of 'web'.");
  });

  const others: Array<[text: RegExp, tone: string, header: object, claims: object]> = [
    [/unsigned/, "bad", { alg: "none" }, {}],
    [/no algorithm/, "bad", {}, {}],
    [/'https:\/\/other\.example' issued it/, "neutral", { alg: "RS256" }, {
      iss: "https://other.example",
    }],
    [/No key is called 'x'; those of this lab are /, "bad", { alg: "RS256", kid: "x" }, {}],
    [/It names no key/, "bad", { alg: "HS256" }, {}],
    [/It names no key/, "bad", { alg: "RS256", jwk: { kty: "nonsense" } }, {}],
  ];
  for (const [text, tone, header, claims] of others) {
    it(`says ${text} of ${JSON.stringify({ ...header, ...claims })}`, async () => {
      await using lab = open();
      const explained = present(await explainToken(lab, write(header, claims)));
      assertMatch(explained.signature.text, text);
      assertEquals(explained.signature.tone, tone);
    });
  }

  it("trusts the key in a DPoP proof for possession only", async () => {
    await using lab = open();
    const { publicKey, privateKey } = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" },
      true,
      ["sign", "verify"],
    );
    const jwk = await crypto.subtle.exportKey("jwk", publicKey);
    const proof = await new SignJWT({ htm: "POST" })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: jwk as { kty: string } })
      .sign(privateKey);
    const explained = present(await explainToken(lab, proof));
    assertMatch(explained.signature.text, /its own header/);
    assert(explained.state === undefined);
  });
});
