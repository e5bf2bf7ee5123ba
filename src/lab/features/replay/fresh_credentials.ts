import { readJwt } from "../../recording/credentials.ts";
import { parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { deviceCode } from "../device/replay.ts";
import { withParameter } from "./edited_request.ts";
import { renewRow, type SpendableCredential } from "./renew.ts";
import type { ChangedClaims } from "./replay_changes.ts";
import { type SigningAgain, withClaims } from "./sign_again.ts";

const code: SpendableCredential = {
  name: "code",
  what: "code",
  renew: (ctx, spent) => renewRow(ctx, ctx.records.codes, ctx.settings.lifetimes.code, spent),
};

const refreshToken: SpendableCredential = {
  name: "refresh_token",
  what: "refresh token",
  renew: (ctx, spent) =>
    renewRow(ctx, ctx.records.refreshTokens, ctx.settings.lifetimes.refreshIdle, spent),
};

const spendable: readonly SpendableCredential[] = [
  code,
  refreshToken,
  deviceCode,
];

/** The signed JWTs of a request that work once, with what a sentence calls them. */
const signedNames: ReadonlyArray<[name: keyof ChangedClaims, what: string]> = [
  ["client_assertion", "client assertion"],
  ["assertion", "assertion"],
  ["dpop", "DPoP proof"],
];

/** A request with fresh credentials, and a sentence about each of them. */
interface FreshRequest {
  request: WireRequest;
  renewed: string[];
}

/**
 * Puts fresh credentials in the place of those that work once and are spent. They are for what the
 * recorded ones were for. What the test changed stays as it is.
 */
export async function withFreshCredentials(
  original: WireRequest,
  changed: ReadonlySet<string>,
  signer: SigningAgain,
): Promise<FreshRequest> {
  const issued = await withFreshIssued(original, changed, signer);
  const signed = await withFreshSigned(issued.request, changed, signer);
  return { request: signed.request, renewed: [...issued.renewed, ...signed.renewed] };
}

async function withFreshIssued(
  original: WireRequest,
  changed: ReadonlySet<string>,
  { lab }: SigningAgain,
): Promise<FreshRequest> {
  const renewed: string[] = [];
  let request = original;
  for (const { name, what, renew } of original.endpoint === "token" ? spendable : []) {
    const value = parameterOf(request, name);
    if (value === undefined || changed.has(name)) continue;
    const renewal = await renew(lab.context, await lab.originalOf(value));
    if (!renewal) continue;
    if ("why" in renewal) {
      renewed.push(`The ${what} is the recorded one: ${renewal.why}.`);
    } else {
      renewed.push(`The ${what} was spent: a fresh one was sent in its place.`);
      request = withParameter(request, name, [renewal.secret]);
    }
  }
  return { request, renewed };
}

async function withFreshSigned(
  original: WireRequest,
  changed: ReadonlySet<string>,
  signer: SigningAgain,
): Promise<FreshRequest> {
  const renewed: string[] = [];
  let request = original;
  for (const [name, what] of signedNames) {
    const jwt = name === "dpop" ? request.headers.dpop : parameterOf(request, name);
    if (jwt === undefined || changed.has(name) || !readJwt(jwt)?.claims.jti) continue;
    try {
      request = await withClaims(request, { claims: { [name]: {} }, privateKeys: [] }, signer);
      renewed.push(`The ${what} was signed again, with a new jti and later times.`);
    } catch (cause) {
      // The lab does not have the key.
      if (!(cause instanceof LabError)) throw cause;
      renewed.push(
        `The ${what} is the recorded one: the lab does not have the key to sign it again.`,
      );
    }
  }
  return { request, renewed };
}
