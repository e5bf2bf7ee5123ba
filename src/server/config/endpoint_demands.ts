import type { Offer } from "./offer.ts";
import type { EndpointName } from "./paths_config.ts";
import type { ReportProblem } from "./problems.ts";
import type { ClientSettings } from "./profiles/profile.ts";

/** A demand of a client that only one endpoint can meet. */
interface EndpointDemand {
  setting: keyof ClientSettings;
  endpoint: EndpointName;
  isMade(config: ClientSettings): boolean;
}

/** Without its endpoint, each of them is refused: it is never ignored. */
const endpointDemands: readonly EndpointDemand[] = [
  {
    setting: "introspect",
    endpoint: "introspect",
    isMade: ({ introspect = "own" }) => introspect !== "own",
  },
  {
    setting: "introspectionAlg",
    endpoint: "introspect",
    isMade: ({ introspectionAlg }) => introspectionAlg !== undefined,
  },
  {
    setting: "requirePar",
    endpoint: "par",
    isMade: ({ requirePar = false }) => requirePar,
  },
];

/** Reports each demand of a client whose endpoint the server does not have. */
export function checkEndpointDemands(
  config: ClientSettings,
  { endpoints }: Pick<Offer, "endpoints">,
  report: ReportProblem,
): void {
  for (const { setting, endpoint, isMade } of endpointDemands) {
    if (!isMade(config) || endpoints.includes(endpoint)) continue;
    report(setting, `needs the endpoint '${endpoint}', which this server does not have`);
  }
}
