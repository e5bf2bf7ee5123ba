import type { Context } from "../server/issuer/context.ts";
import { basePath } from "../server/protocol/issuer_url.ts";
import { lazily } from "../server/util/values/memoize.ts";
import { readLabToken } from "./control/lab_access.ts";
import type { InterfacePlace } from "./core/core_lab.ts";
import { dialectAddress } from "./dialect/dialect_address.ts";
import { createDialectLayers } from "./dialect/dialect_layers.ts";
import type { LabAccess } from "./feature.ts";
import type { FeatureInternals } from "./feature_internals.ts";
import type { FeatureTools } from "./feature_types.ts";
import { features } from "./features.ts";
import { withDialect } from "./handling/dialect_settings.ts";
import { createDispatcher } from "./handling/dispatch.ts";
import { createLabParts, type LabParts } from "./handling/lab_parts.ts";
import type { OpenedFeature } from "./handling/opened_feature.ts";
import { createPipeline } from "./handling/pipeline.ts";
import { TenantList, type TenantOpener } from "./handling/tenants.ts";
import type { Lab, LabTools } from "./lab.ts";
import type { LabConfig } from "./lab_config.ts";
import { settingsForTenants } from "./lab_server/json_settings.ts";
import { type Nest, nest } from "./layers/layer.ts";
import { coreInternals, coreTools, tenantMembers } from "./members/core_members.ts";
import { createLabBrowsers } from "./members/lab_browsers.ts";
import { createLifecycle } from "./members/lab_lifecycle.ts";
import { createLabTokens } from "./members/lab_tokens.ts";
import type { OuterRecord } from "./recording/lab_record.ts";
import { createPageHandlers } from "./routes/load_pages.ts";
import type { HandsFreeState } from "./sign_in/hands_free.ts";
import { LabError } from "./util/lab_error.ts";
import type { Waits } from "./util/waits.ts";

/** What a lab has from outside of its configuration. */
interface Surroundings {
  /** The lab that this one is a tenant of. */
  outer?: OuterRecord & { lab: Lab };
  /** Where the interface over HTTP is, if that is not below the issuer. */
  place?: InterfacePlace | undefined;
  /** Nests the layers of a request; a test passes one that checks each layer. */
  nest?: Nest;
  /** Waits in real time; a test passes waits that are shorter. */
  waits?: Waits;
}

/**
 * Opens a lab: first its features, then its parts, then what responds to requests, and last what a
 * test uses. A tenant is opened the same way. Callers complete the settings of a lab before
 * (`complete_settings.ts`), and call `openConfiguredTenants` after.
 */
export function openLab(given: LabConfig, surroundings: Surroundings = {}): Lab {
  const { labToken, ...config } = withDialect(given);
  const { outer, place } = surroundings;
  const isApart = config.controlApart ?? false;
  const token = readLabToken(labToken, config.now ?? Date.now);
  // Creating the server calls features, and features use the server. So they open first, with an
  // object by which they reach the rest once the lab is open.
  const isGuarded = token !== undefined;
  const access = { parts: () => parts, lab: () => lab, outer: outer?.lab, isGuarded };
  const opened: OpenedFeature[] = features.flatMap((feature) => feature.open?.(access) ?? []);
  const { base } = dialectAddress(config.issuer, config.dialect);
  const tenants = new TenantList<Lab>(
    { ...config, issuer: base, pathsNow: () => parts.config().paths },
    tenantOpener(given, surroundings, access),
  );
  const parts = createLabParts(config, { ...surroundings, tenants, features, opened });
  const layers = [
    ...opened.flatMap((each) => each.layers ?? []),
    createDialectLayers(parts.dialect, parts.recorder),
  ];
  // With the first request: a lab that only mints tokens needs none.
  const pipeline = lazily(() => createPipeline(parts, layers, surroundings.nest ?? nest));
  const dispatcher = createDispatcher(parts, {
    controlApart: isApart,
    controlBase: place?.base ?? basePath(config.issuer),
    ...createPageHandlers(access.lab, { token, isApart }),
    layers,
    pipeline: (exchange) => pipeline()(exchange),
  });
  const { reset, ...lifecycle } = createLifecycle(parts, opened, access.lab);
  const tools: LabTools = {
    ...coreTools(parts),
    configure: parts.settings.change,
    reset,
    ...createLabTokens(parts, layers),
    ...createLabBrowsers(parts, dispatcher.fetch),
    ...Object.assign({}, ...opened.map(({ tools }) => tools)) as FeatureTools,
  };
  const lab: Lab = Object.assign(new LabState(parts, place), {
    issuer: config.issuer,
    ...dispatcher,
    ...tools,
    tools,
    ...coreInternals(parts, opened),
    ...lifecycle,
    ...tenantMembers(parts, tenants, access.lab),
    ...Object.assign({}, ...opened.map(({ internals }) => internals)) as FeatureInternals,
  });
  // Each begins with what the settings name, such as the faults of the start.
  for (const { state } of opened) state?.clear();
  return lab;
}

/** The members of a lab that are computed when they are read. In a literal, they slow opening. */
class LabState {
  readonly #parts: LabParts;
  readonly #place: InterfacePlace | undefined;

  constructor(parts: LabParts, place: InterfacePlace | undefined) {
    this.#parts = parts;
    this.#place = place;
  }

  get context(): Context {
    return this.#parts.server.current().context;
  }

  get interfacePlace(): InterfacePlace {
    return this.#place ?? this.context.settings;
  }

  get handsFreeState(): HandsFreeState {
    return this.#parts.handsFree.next() ?? { user: null };
  }
}

/** Returns the function that opens a tenant, with what surrounds its lab. */
function tenantOpener(
  given: LabConfig,
  surroundings: Surroundings,
  access: LabAccess<Lab>,
): TenantOpener<Lab> {
  return (id, tenant, place) => {
    if (surroundings.place && place) {
      throw new LabError("A tenant of a tenant cannot choose its issuer.");
    }
    const outer = { lab: access.lab(), record: access.parts().record, tenant: id };
    return openLab(
      { ...settingsForTenants(given), ...tenant },
      { ...surroundings, outer, place },
    );
  };
}
