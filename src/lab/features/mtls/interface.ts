import { operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { ClientCertificate } from "./certificates.ts";
import type { MtlsTools } from "./feature.ts";

/** The operation that makes the certificate of a client. */
export const mtlsInterface: FeatureInterface<MtlsTools> = {
  operations: [operation("POST /certificates/:client", {
    name: "make-certificate",
    summary: "Makes the certificate of a client, which a lab with mutual TLS trusts.",
    example: { segment: "web" },
    returns: "ClientCertificate",
    async run(lab, { segment }): Promise<ClientCertificate> {
      const { fetch: _, ...certificate } = await lab.certificate(segment);
      return certificate;
    },
  })],
};
