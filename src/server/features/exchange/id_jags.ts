import type { Context } from "../../issuer/context.ts";
import { signJwt } from "../../issuer/keys/own_jwt.ts";
import { randomId } from "../../issuer/random.ts";
import type { Authorization } from "../../issuer/records/rows.ts";
import { numericDate, secondsUntil } from "../../issuer/time.ts";
import type { User } from "../../model/user.ts";
import { idJagJwtType } from "../../protocol/id_jag.ts";
import { minute } from "../../util/time/duration.ts";
import { withoutUndefined } from "../../util/values/defaults.ts";
import type { IdJagConfig } from "./config.ts";

/** How long an ID-JAG lives at most, in seconds. It is redeemed at once. */
const maxLifetime = 5 * minute;

/** What an ID-JAG is made of. */
export interface IdJagContent {
  /** What was configured about the other domain. It is copied. */
  entry: IdJagConfig;
  authorization: Authorization;
  user: User;
  /** The `sub` by which the server at the audience knows the user. */
  subject: string;
  scope: readonly string[];
  /** When the token ends that was presented for it, in milliseconds. */
  expiresAt: number;
  /** The thumbprint of the key of the DPoP proof, if the request had one. */
  jkt?: string | undefined;
}

/** An ID-JAG, and for how long it is valid, in seconds. */
export interface IssuedIdJag {
  jwt: string;
  lifetime: number;
}

/** Issues an ID-JAG (Identity Assertion JWT Authorization Grant, section 3). */
export async function issueIdJag(ctx: Context, content: IdJagContent): Promise<IssuedIdJag> {
  const { entry, authorization, user, subject, scope, jkt } = content;
  const iat = numericDate(ctx);
  const lifetime = Math.min(maxLifetime, secondsUntil(ctx, content.expiresAt));
  const claims = withoutUndefined({
    ...entry.email && emailOf(user),
    iss: ctx.settings.issuer,
    sub: subject,
    aud: entry.audience,
    client_id: entry.clientId,
    jti: randomId(ctx),
    iat,
    exp: iat + lifetime,
    resource: entry.resource,
    scope: scope.join(" "),
    auth_time: authorization.authTime,
    acr: authorization.acr,
    amr: authorization.amr,
    cnf: jkt === undefined ? undefined : { jkt },
  });
  return { jwt: await signJwt(ctx, ctx.settings.alg, idJagJwtType, claims), lifetime };
}

/** An address that was not verified could lead to the account of another user. */
function emailOf({ claims: { email, email_verified } }: User): object {
  return email_verified === true ? { email, email_verified } : {};
}
