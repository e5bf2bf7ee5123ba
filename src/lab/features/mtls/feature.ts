import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { MtlsTools } from "./mtls_tools.ts";

const load = once(() => import("./certificates.ts"));

/** Certificates of clients, for tests. */
export const mtls: LabFeature<MtlsTools> = {
  name: "mtls",
  open: ({ lab }) => ({
    tools: {
      async certificate(client) {
        const authority = await (await load()).clientAuthority();
        const { der, ...certificate } = await authority.certify(client);
        const fetch = (input: string | URL | Request, init?: RequestInit) =>
          lab().fetch(Object.assign(new Request(input, init), { certificates: [der] }));
        return { ...certificate, fetch };
      },
    },
    internals: {},
  }),
};
