import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { LabFeature } from "../../feature.ts";
import type { ClientCertificate } from "./certificates.ts";
import { trustsClientAuthority } from "./config.ts";

/** The certificate of a client, with a way to send requests with it. */
export interface ConnectedCertificate extends ClientCertificate {
  /** Sends a request to the lab, in process, over a connection that has proved the certificate. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/** What a test can do with mutual TLS. */
export interface MtlsTools {
  /**
   * Makes the certificate of a client, with the subject `CN=web` for `"web"`, which a lab with the
   * setting `mtls` trusts.
   */
  certificate(client: string): Promise<ConnectedCertificate>;
}

const { clientAuthority } = lazyModule(() => import("./certificates.ts"));

/** Certificates of clients, for tests. */
export const mtls: LabFeature<MtlsTools> = {
  name: "mtls",
  serverSettings: trustsClientAuthority,
  open: ({ lab }) => ({
    tools: {
      async certificate(client) {
        const authority = await clientAuthority();
        const { der, ...certificate } = await authority.certify(client);
        const fetch = (input: string | URL | Request, init?: RequestInit) =>
          lab().fetch(Object.assign(new Request(input, init), { certificates: [der] }));
        return { ...certificate, fetch };
      },
    },
  }),
};
