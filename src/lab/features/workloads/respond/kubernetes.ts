import type { Claims } from "../../../../server/model/claims.ts";
import { isObject, parseJson } from "../../../../server/util/text/json.ts";
import { hour, minute } from "../../../../server/util/time/duration.ts";
import { isBearer, type SourceCall } from "../source.ts";

const api = { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1" };

/** Responds as the TokenRequest API, for the service account that the claims name. */
export async function respondAsKubernetes(call: SourceCall): Promise<Claims> {
  const { request: { path, headers }, environment, claims, now, must } = call;
  const [, , , , namespace, , name] = path.split("/");
  must(headers.authorization !== undefined, "anonymous", { name, namespace });
  must(isBearer(headers.authorization, environment.KUBERNETES_TOKEN), "bearer");
  const account = memberOf(claims, "kubernetes.io");
  const isKnown = account.namespace === namespace &&
    memberOf(account, "serviceaccount").name === name;
  must(isKnown, "account", { name });
  const { aud, seconds, boundObjectRef } = readSpec(call);
  const { jwt, exp } = await call.sign({
    aud,
    sub: `system:serviceaccount:${namespace}:${name}`,
    jti: call.randomText(),
    iat: now,
    nbf: now,
    "kubernetes.io": { ...account, ...boundTo(boundObjectRef, call) },
  }, seconds);
  return {
    ...api,
    metadata: { name, namespace, creationTimestamp: timestamp(now) },
    spec: { audiences: aud, expirationSeconds: seconds, boundObjectRef },
    status: { token: jwt, expirationTimestamp: timestamp(exp) },
  };
}

/** Without audiences, a token is for the API itself, whose audience is its issuer. */
function readSpec({ request: { headers, body }, claims, must }: SourceCall) {
  must(headers["content-type"]?.startsWith("application/json") ?? false, "type");
  const sent = memberOf({ body: parseJson(body) }, "body");
  const { kind = api.kind, apiVersion = api.apiVersion } = sent;
  const spec = memberOf(sent, "spec");
  // Clients in Go send null for what they leave out.
  const { boundObjectRef = null } = spec;
  const [audiences, lifetime] = [spec.audiences ?? [], spec.expirationSeconds ?? 1 * hour];
  const seconds = Number(lifetime);
  const isRead = "spec" in sent && Array.isArray(audiences) && seconds === lifetime;
  must(isRead && kind === api.kind && apiVersion === api.apiVersion, "kind");
  must(seconds >= 10 * minute, "seconds", { seconds, limit: "less than 10 minutes" });
  must(seconds <= 2 ** 32, "seconds", { seconds, limit: "larger than 2^32 seconds" });
  const aud = [audiences].flat();
  return { aud: aud.length > 0 ? aud : [claims.iss], seconds, boundObjectRef };
}

/** Names the pod or secret that a token is bound to. */
function boundTo(reference: unknown, { must, randomText }: SourceCall): Claims {
  if (!isObject(reference)) return {};
  const { apiVersion, kind, name, uid = randomText() } = reference;
  must(apiVersion === "v1" && (kind === "Pod" || kind === "Secret"), "bound", {
    type: `${apiVersion}, Kind=${kind}`,
  });
  return { [String(kind).toLowerCase()]: { name, uid } };
}

function memberOf(value: Claims, name: string): Claims {
  const member = value[name];
  return isObject(member) ? member : {};
}

function timestamp(seconds: number): string {
  return new Date(1000 * seconds).toISOString().replace(".000", "");
}
