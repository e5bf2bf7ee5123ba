import type { Config } from "../../../server/features.ts";
import { readPemCertificates } from "../../../server/features/mtls/pem_certificates.ts";
import { lazyModule } from "../../../server/util/lazy_module.ts";

const { clientAuthority } = lazyModule(() => import("./certificates.ts"));

/** A server with mutual TLS trusts the certificates that its lab makes, besides others. */
export function trustsClientAuthority(config: Config): Config {
  const { mtls } = config;
  if (!mtls) return config;
  const { authorities: given = "" } = mtls;
  // The server reports them when it is created.
  if (given && typeof given === "string" && !readPemCertificates(given)?.length) return config;
  return {
    ...config,
    mtls: {
      ...mtls,
      async authorities() {
        const { ca } = await clientAuthority();
        return `${typeof given === "string" ? given : await given()}\n${ca}`;
      },
    },
  };
}
