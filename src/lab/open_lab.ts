import type { OutboundFetch } from "../server/http/outbound_fetch.ts";
import { basePath } from "../server/protocol/issuer_url.ts";
import { readLabToken } from "./control/lab_access.ts";
import type { InterfacePlace, Tenants } from "./core/core_lab.ts";
import { dialectAddress } from "./dialect/dialect_address.ts";
import { createDialectLayers } from "./dialect/dialect_layers.ts";
import type { OpenFeature } from "./feature.ts";
import type { FeatureInternals } from "./feature_internals.ts";
import type { FeatureTools } from "./feature_types.ts";
import { features } from "./features.ts";
import { withDialect } from "./handling/dialect_settings.ts";
import { createDispatcher } from "./handling/dispatch.ts";
import { createLabParts, type LabParts } from "./handling/lab_parts.ts";
import { openProviders } from "./handling/lab_providers.ts";
import { createTenants, type OpenTenant } from "./handling/tenants.ts";
import type { Lab, LabTools } from "./lab.ts";
import type { LabConfig } from "./lab_config.ts";
import { settingsForTenants } from "./lab_server/changeable_settings.ts";
import { type Nest, nest, type RequestLayers } from "./layers/layer.ts";
import type { LabProbe } from "./layers/probe.ts";
import { exposeParts, exposeTools, remarksOf } from "./members/exposed_parts.ts";
import { createLabBrowsers } from "./members/lab_browsers.ts";
import { createLabStates, createLifecycle } from "./members/lab_lifecycle.ts";
import { createLabTenants } from "./members/lab_tenants.ts";
import { createLabTokens } from "./members/lab_tokens.ts";
import { createPageHandlers } from "./pages/routes/load_pages.ts";
import type { RecordAround } from "./recording/lab_record.ts";
import { withGetters } from "./util/getters.ts";
import { LabError } from "./util/lab_error.ts";

type LabGetters = Pick<
  Lab,
  "context" | "handsFreeUser" | "handsFreeState" | "interfacePlace"
>;

interface LabMembers extends Omit<Lab, keyof LabGetters> {
  parts: LabParts;
  place: InterfacePlace | undefined;
}

const labGetters: LabGetters & ThisType<LabMembers> = {
  get context() {
    return this.parts.server.current().context;
  },
  get interfacePlace() {
    return this.place ?? this.parts.server.current().context.settings;
  },
  get handsFreeUser() {
    return this.parts.handsFree.next()?.user;
  },
  get handsFreeState() {
    return this.parts.handsFree.next() ?? { user: null };
  },
};

/** What a lab shares with the one that it is a tenant of, or with what watches it. */
interface SharedLabParts {
  /** Returns the lab that this one is a tenant of. */
  around?: () => Lab;
  /** Where the interface over HTTP is, if that is not below the issuer. */
  place?: InterfacePlace | undefined;
  probe?: LabProbe | undefined;
  /** Puts the layers of a request around each other; a test checks them in doing so. */
  nest?: Nest;
  /** The record of the lab that this one is a tenant of. */
  recordAround?: RecordAround | undefined;
}

/** A lab, and its parts. */
interface OpenedLab {
  lab: Lab;
  parts: LabParts;
}

/** What a lab passes on to its tenants. */
interface SharedWithTenants extends Pick<SharedLabParts, "place" | "probe"> {
  /** Returns the lab around the tenant, which is not yet open when its tenants are prepared. */
  around(): OpenedLab;
}

/** Opens a lab: connects its parts with what responds to requests, and with what a test uses. */
export function openLab(given: LabConfig, shared: SharedLabParts = {}): Lab {
  const { controlApart = false, labToken, ...config } = withDialect(given);
  const { place, probe, recordAround } = shared;
  const token = readLabToken(labToken, config.now ?? Date.now);
  const labOf = () => lab;
  const tenants = createTenants<Lab>(
    { ...config, controlApart, issuer: dialectAddress(config.issuer, config.dialect).base },
    tenantOpener(given, { place, probe, around: () => ({ lab, parts }) }),
  );
  const access = { parts: () => parts, lab: labOf, around: () => shared.around?.() };
  const opened: readonly OpenFeature[] = features.flatMap((feature) =>
    feature.open?.(access) ?? []
  );
  const outbound = (send: OutboundFetch): OutboundFetch => (url, init) =>
    opened.reduce((sent, feature) => feature.outbound?.(sent) ?? sent, send)(url, init);
  const parts = createLabParts({ ...config, controlApart }, {
    ...{ tenants, probe, outbound, recordAround },
    onWrite(kind, id) {
      for (const feature of opened) feature.onWrite?.(kind, id);
    },
    onForget(step) {
      for (const feature of opened) feature.onForget?.(step);
    },
    rules: features,
    answers: (config) => Object.assign({}, ...opened.map((each) => each.answers?.(config))),
  });
  const layers = [
    ...opened.flatMap((each) => each.layers ?? []),
    createDialectLayers(parts.dialect, parts.recorder),
  ];
  const dispatcher = createDispatcher(parts, {
    controlApart,
    controlBase: place?.base ?? basePath(config.issuer),
    ...createPageHandlers(labOf, { token, isApart: controlApart }),
    layers,
    nest: shared.nest ?? nest,
  });
  const { fetch } = dispatcher;
  const { tools, internals } = createMembers(parts, { tenants, opened, layers, fetch }, labOf);
  const lab: Lab = withGetters<LabMembers, LabGetters>({
    parts,
    place,
    issuer: config.issuer,
    ...dispatcher,
    ...tools,
    tools,
    ...internals,
  }, labGetters);
  for (const { state } of opened) state?.clear();
  return lab;
}

/** Returns the function that opens a tenant, with what it shares with the lab around it. */
function tenantOpener(
  given: LabConfig,
  { place, probe, around }: SharedWithTenants,
): OpenTenant<Lab> {
  return (id, tenant, tenantPlace) => {
    if (place && tenantPlace) throw new LabError("A tenant of a tenant cannot choose its issuer.");
    return openLab({ ...settingsForTenants(given), ...tenant }, {
      around: () => around().lab,
      place: tenantPlace,
      probe,
      recordAround: { record: around().parts.record, tenant: id },
    });
  };
}

/** What the members of a lab need beside its parts. */
interface MemberParts extends Pick<Lab, "fetch"> {
  tenants: Tenants<Lab>;
  opened: readonly OpenFeature[];
  layers: readonly RequestLayers[];
}

/** Creates the members of a lab, apart from those that send requests or respond to them. */
function createMembers(
  parts: LabParts,
  { tenants, opened, layers, fetch }: MemberParts,
  labOf: () => Lab,
) {
  const reopen = () => openProviders(labOf(), parts.settings.config(), features);
  const { reset, capture } = createLabStates(parts, opened, reopen);
  const ofFeatures: FeatureTools = Object.assign({}, ...opened.map((each) => each.tools));
  const inside: FeatureInternals = Object.assign({}, ...opened.map((each) => each.internals));
  const tools: LabTools = {
    ...exposeTools(parts),
    reset,
    ...createLabTokens(parts, layers),
    ...createLabBrowsers(parts, fetch),
    ...ofFeatures,
  };
  const internals = {
    ...exposeParts(parts),
    ...createLifecycle(parts, opened),
    capture,
    ...createLabTenants(parts, tenants, labOf),
    remarks: () => remarksOf(parts, labOf(), opened),
    ...inside,
  };
  return { tools, internals };
}
