import type { Claims } from "../../../../server/model/claims.ts";
import { hour, minute } from "../../../../server/util/time/duration.ts";
import type { SourceCall } from "../source.ts";

/** The parameters that choose an identity, each with the claim that has its value. */
const identityClaims: Readonly<Record<string, string>> = {
  client_id: "appid",
  object_id: "oid",
  principal_id: "oid",
  msi_res_id: "xms_mirid",
  mi_res_id: "xms_mirid",
};

/** Responds as the metadata service of a virtual machine, and at its path as that of App Service. */
export async function respondAsAzure(call: SourceCall): Promise<Claims> {
  const { request: { path, headers, query }, environment, claims, now, must } = call;
  const isAppService = path.startsWith("/msi/");
  if (isAppService) must(headers["x-identity-header"] === environment.IDENTITY_HEADER, "secret");
  else must(headers.metadata === "true", "header");
  must(isAppService || headers["x-forwarded-for"] === undefined, "proxied");
  const [oldest, version] = [isAppService ? "2019-08-01" : "2018-02-01", query.get("api-version")];
  const isVersion = version !== null && /^\d{4}-\d\d-\d\d$/.test(version) && version >= oldest;
  must(isVersion, "version", { oldest });
  const resource = query.get("resource");
  must(Boolean(resource), "resource");
  const named = Object.entries(identityClaims).filter(([name]) => query.has(name));
  must(named.length < 2 && named.every(([name, of]) => query.get(name) === claims[of]), "identity");
  // Microsoft Entra dates its tokens back by five minutes.
  const iat = now - 5 * minute;
  const uti = call.randomText();
  const { jwt, exp } = await call.sign({ aud: resource, iat, nbf: iat, uti }, 1 * hour);
  return {
    access_token: jwt,
    client_id: claims.appid,
    ...isAppService ? {} : { refresh_token: "", expires_in: String(exp - now) },
    expires_on: String(exp),
    not_before: String(iat),
    resource,
    token_type: "Bearer",
  };
}
