import { once } from "../../../../server/util/time/promises.ts";
import type { LabCompletion } from "../../../handling/lab_completion.ts";

const loadCompany = once(() => import("./company.ts"));

/** A company whose identity provider is a tenant, and whose ID-JAGs the lab redeems. */
export const enterprise: LabCompletion = {
  async loadCompletion(given) {
    if (!given.enterprise) return undefined;
    const { withEnterprise } = await import("./enterprise_config.ts");
    return withEnterprise;
  },
  outbound(send, lab) {
    if (!lab.settings.config().enterprise) return send;
    return async (url, init) => {
      const { fetchFromTenants } = await loadCompany();
      return await fetchFromTenants(lab, send)(url, init);
    };
  },
  async open(lab, config) {
    if (!config.enterprise) return;
    const { openCompany } = await loadCompany();
    await openCompany(lab, config);
  },
};
