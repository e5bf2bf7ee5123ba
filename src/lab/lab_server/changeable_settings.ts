import reasons from "../../../static/settings/lab_reasons.json" with { type: "json" };
import { checkValue, type ObjectSchema, type Schema } from "../../server/config/schema.ts";
import { configSchema } from "../../server/features.ts";
import { isObject } from "../../server/util/text/json.ts";
import { LabError } from "../util/lab_error.ts";
import { labFileSchema } from "../util/lab_schema.ts";
import type { CoreLabConfig } from "./lab_config.ts";

type Reasons = Readonly<Record<string, string>>;

const reachReason = "what a lab may reach is set at its start";
const accessReason = "who may reach a lab is set at its start";
const codeReason = "it is code, which is given in TypeScript at the start";

/** The settings of a lab that its server does not know. */
export const labSettings: readonly string[] = Object.keys({
  ...labFileSchema.members,
  ...reasons.notOverHttp,
});

/** The settings that the interface over HTTP refuses, each with its reason. */
export const refusedSettings: Reasons = {
  ...reasons.notOverHttp,
  issuer: accessReason,
  frontChannelUrl: accessReason,
  backChannelUrl: accessReason,
  listen: accessReason,
  host: accessReason,
  port: accessReason,
  expose: accessReason,
  tls: accessReason,
  cert: accessReason,
  key: accessReason,
  store: codeReason,
  policies: codeReason,
  pages: codeReason,
  fetch: codeReason,
  fetchUntrusted: codeReason,
  now: codeReason,
  randomBytes: codeReason,
  onEvent: codeReason,
};

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };

const members: Readonly<Record<string, Schema>> = {
  ...configSchema.members,
  ...labFileSchema.members,
  redirectUris: texts,
  scopes: { type: "anyOf", options: [texts, configSchema.members.scopes ?? texts] },
};

/** The settings of a lab that JSON can hold, and that may change after its start. */
const settingsSchema: ObjectSchema = {
  type: "object",
  required: [],
  members: Object.fromEntries(
    Object.entries(members).filter(([name]) => !Object.hasOwn(refusedSettings, name)),
  ),
};

/** The names of these settings. */
export const changeableSettings: readonly string[] = Object.keys(settingsSchema.members);

/**
 * The settings by which features make more of a lab than its server, each with the reason why a
 * running lab refuses it. No tenant has one.
 */
export const wholeLabSettings: Reasons = reasons.forWholeLab;

/** The settings that a running lab refuses, each with its reason. A tenant may have the others. */
export const startSettings: Reasons = { ...reasons.atStart, ...wholeLabSettings };

/** Returns the settings that the tenants of a lab have from it. */
export function settingsForTenants(config: CoreLabConfig): Partial<CoreLabConfig> {
  const given = Object.entries(config);
  return Object.fromEntries(given.filter(([name]) => Object.hasOwn(reasons.inherited, name)));
}

/** Checks changes of the settings of a lab that runs: `null` removes one. The lab checks values. */
export function checkAdjustable(changes: Readonly<Record<string, unknown>>): void {
  const reasons = { ...refusedSettings, ...startSettings };
  for (const name of Object.keys(changes)) {
    checkNotRefused(name, Object.hasOwn(reasons, name) ? reasons[name] : undefined);
  }
  checkChangeable(
    Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
  );
}

/** Checks settings that come over HTTP. `others` are members of the body besides them. */
export function checkChangeable(
  settings: Readonly<Record<string, unknown>>,
  others: ObjectSchema["members"] = {},
): void {
  const { insecure } = settings;
  for (const name of Object.keys(settings)) {
    const reason = Object.hasOwn(refusedSettings, name) ? refusedSettings[name] : undefined;
    checkNotRefused(name, reason, others);
  }
  if (isObject(insecure) && "privateFetches" in insecure) {
    checkNotRefused("insecure.privateFetches", reachReason);
  }
  checkBody({ ...settingsSchema, members: { ...settingsSchema.members, ...others } }, settings);
}

export function checkBody(schema: ObjectSchema, body: Readonly<Record<string, unknown>>): void {
  const problems: string[] = [];
  checkValue(schema, body, "", (path, problem) => void problems.push(`'${path}' ${problem}`));
  if (problems.length > 0) throw new LabError(`${problems.join("; ")}.`);
}

function checkNotRefused(
  name: string,
  reason: string | undefined,
  others: ObjectSchema["members"] = {},
): void {
  if (reason === undefined || Object.hasOwn(others, name)) return;
  throw new LabError(`'${name}' cannot be set here: ${reason}.`);
}
