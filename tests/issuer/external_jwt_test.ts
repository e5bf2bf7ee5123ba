import { assertEquals, assertRejects } from "@std/assert";
import { CompactSign } from "jose";
import { describe, it } from "node:test";
import { OutboundError } from "../../src/server/http/outbound_fetch.ts";
import type { Context } from "../../src/server/issuer/context.ts";
import { verifyExternalJwt } from "../../src/server/issuer/external/external_jwt.ts";
import { openKit } from "../support/kit.ts";

const encoder = new TextEncoder();
const secret = "a-secret-with-32-bytes-or-more-12";
const kept = { hash: "", isLong: true, encryptedText: secret };
const signer = { id: "app", secrets: [kept], trusted: true };
const { context } = openKit().server;

function sign(payload: Uint8Array, header: object = {}, key = secret): Promise<string> {
  return new CompactSign(payload).setProtectedHeader({ alg: "HS256", ...header })
    .sign(encoder.encode(key));
}

async function verify(jwt: string, ctx: Context = context, of: object = signer) {
  const algorithms = ["HS256", "ES256"];
  const expected = { algorithms, types: [undefined, "JWT"] };
  return await verifyExternalJwt(ctx, { ...signer, ...of }, jwt, expected);
}

async function problemOf(jwt: string, ctx?: Context, of?: object): Promise<string | undefined> {
  const result = await verify(jwt, ctx, of);
  return "problem" in result ? result.problem : undefined;
}

const claims = encoder.encode('{"sub":"é"}');
const unverified = "no key of its signer verifies its signature";

describe("verifyExternalJwt (RFC 7515, section 5.2)", () => {
  it("returns the claims, and the secret that signed them", async () => {
    const expected = { claims: { sub: "é" }, secret: kept };
    assertEquals(await verify(await sign(claims)), expected);
    assertEquals(await verify(await sign(claims, { typ: "jwt" })), expected);
    const secrets = [{ ...kept, encryptedText: `${secret}2` }, kept];
    assertEquals(await verify(await sign(claims), context, { secrets }), expected);
  });

  const refused: Array<[what: string, jwt: () => Promise<string>, problem: string]> = [
    ["another key", () => sign(claims, {}, `${secret}3`), unverified],
    ["claims that are not UTF-8", () => sign(encoder.encode(`{"a":"\0"}`).map(toFF)), unverified],
    ["a list", () => sign(encoder.encode("[]")), unverified],
    ["null", () => sign(encoder.encode("null")), unverified],
    ["a text that is not JSON", () => sign(encoder.encode("{")), unverified],
    ["another typ", () => sign(claims, { typ: "at+jwt" }), "its 'typ' is not one of"],
    ["another alg", () => sign(claims, { alg: "HS512" }, `${secret}${secret}`), "its 'alg' is"],
    ["no JWT", async () => "x", "it is not a signed JWT"],
  ];
  for (const [what, jwt, problem] of refused) {
    it(`refuses ${what}`, async () => {
      assertEquals((await problemOf(await jwt()))?.slice(0, problem.length), problem);
    });
  }

  it("refuses a client without a secret", async () => {
    assertEquals(await problemOf(await sign(claims), context, { secrets: [] }), unverified);
  });

  it("tells keys that cannot be fetched from failures that are not the signer's", async () => {
    const failing = (cause: Error): Context => ({
      ...context,
      keys: {
        ...context.keys,
        external: { ...context.keys.external, find: () => Promise.reject(cause) },
      },
    });
    const jwt = `${btoa('{"alg":"ES256"}').replaceAll("=", "")}.e30.AA`;
    const away = failing(new OutboundError("away"));
    assertEquals(await problemOf(jwt, away), "the keys for it could not be fetched");
    await assertRejects(() => problemOf(jwt, failing(new Error("too many"))), Error, "too many");
  });
});

/** Makes a text invalid UTF-8, and leaves its JSON as it is. */
function toFF(byte: number): number {
  return byte === 0 ? 0xff : byte;
}
