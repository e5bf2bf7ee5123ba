import { CompactSign } from "jose";
import type { Client, ClientSecret } from "../../model/client.ts";
import type { IdTokenAlgorithm } from "../../model/signing.ts";
import { encodeUtf8 } from "../../util/bytes/encoding.ts";
import { featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";
import { signJwt } from "../keys/own_jwt.ts";
import { hmacKey } from "../keys/secrets_at_rest.ts";

interface ClientToken {
  typ: string;
  claims: object;
  /** The secret that the client used: it may not know the other one yet. */
  secret?: ClientSecret | undefined;
}

/**
 * Signs a token for one client, with a key of the server or with a secret of the client, and puts
 * it into the envelope that the client demands.
 */
export async function signForClient(
  ctx: Context,
  client: Client,
  { typ, claims, secret = client.secrets[0] }: ClientToken,
): Promise<string> {
  const alg = idTokenAlgOf(ctx, client);
  const jwt = alg === "HS256"
    ? await signWithSecret(ctx, client, { typ, claims, secret })
    : await signJwt(ctx, alg, typ, claims);
  const { envelope } = featuresOf(ctx);
  // The settings of features are members of a client, too.
  if (!envelope || client[envelope.idTokenSetting as keyof Client] === undefined) return jwt;
  return await envelope.seal(ctx, client, "idToken", () => jwt) ?? jwt;
}

async function signWithSecret(
  ctx: Context,
  client: Client,
  { typ, claims, secret }: ClientToken,
): Promise<string> {
  const key = secret && await hmacKey(ctx, client.id, secret);
  if (!key) throw new Error(`The client '${client.id}' has no secret that can sign.`);
  return await new CompactSign(encodeUtf8(JSON.stringify(claims)))
    .setProtectedHeader({ alg: "HS256", typ })
    .sign(key);
}

/** Returns the algorithm of a client's ID tokens and logout tokens. */
export function idTokenAlgOf({ settings }: Context, client: Client): IdTokenAlgorithm {
  return client.idTokenAlg ?? settings.idTokenAlg;
}
