import type { Config } from "../../../server/features.ts";
import { once } from "../../../server/util/time/promises.ts";

const load = once(() => import("./certificates.ts"));

/** A server with mutual TLS trusts the certificates that its lab makes, beside others. */
export function trustsClientAuthority(config: Config): Config {
  const { mtls } = config;
  if (!mtls) return config;
  const { authorities: given = "" } = mtls;
  return {
    ...config,
    mtls: {
      ...mtls,
      async authorities() {
        const { ca } = await (await load()).clientAuthority();
        return `${typeof given === "string" ? given : await given()}\n${ca}`;
      },
    },
  };
}
