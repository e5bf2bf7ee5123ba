import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { CoreLabConfig, GivenLabConfig } from "../../lab_server/core_lab_config.ts";
import { additionsOf } from "../../lab_server/create_server.ts";
import { demoAssertions } from "../assertions/feature.ts";
import { mcp } from "../mcp/feature.ts";
import { openRegistration } from "../registration/feature.ts";
import { demoTokenExchange } from "../token_exchange/feature.ts";
import type { EnterpriseSetting } from "./config.ts";

const loadCompany = once(() => import("./handling/company.ts"));

/** A company whose identity provider is a tenant, and whose ID-JAGs the lab redeems. */
export const enterprise: LabFeature = {
  name: "enterprise",
  needs: [demoAssertions, demoTokenExchange, mcp, openRegistration],
  async loadCompletion(given: GivenLabConfig & EnterpriseSetting, features) {
    if (!given.enterprise) return undefined;
    const { withEnterprise } = await import("./handling/enterprise_config.ts");
    return (config) => withEnterprise(config, additionsOf(features));
  },
  async openTenants(lab, config: CoreLabConfig & EnterpriseSetting) {
    if (!config.enterprise) return;
    const { openCompany } = await loadCompany();
    await openCompany(lab, config);
  },
  open: ({ lab }) => ({
    outbound: (send) => async (url, init) => {
      if (!lab().settings.config<EnterpriseSetting>().enterprise) return await send(url, init);
      const { fetchFromTenants } = await loadCompany();
      return await fetchFromTenants(lab(), send)(url, init);
    },
  }),
};
