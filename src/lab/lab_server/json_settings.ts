import reasons from "../../../static/settings/lab_reasons.json" with { type: "json" };
import type { ObjectSchema, Schema } from "../../server/config/schema.ts";
import { configSchema } from "../../server/features.ts";
import { isObject } from "../../server/util/text/json.ts";
import { ownMember } from "../../server/util/values/members.ts";
import { checkBody } from "../util/check_body.ts";
import { LabError } from "../util/lab_error.ts";
import { labFileSchema } from "../util/lab_schema.ts";
import type { CoreLabConfig } from "./core_lab_config.ts";

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

/** The settings that JSON can hold: those that the interface over HTTP may give to a lab or tenant. */
const settingsSchema: ObjectSchema = {
  type: "object",
  members: Object.fromEntries(
    Object.entries(members).filter(([name]) => !Object.hasOwn(refusedSettings, name)),
  ),
};

export function isJsonSetting(name: string): boolean {
  return Object.hasOwn(settingsSchema.members, name);
}

/**
 * The settings by which features make more of a lab than its server, each with the reason why a
 * running lab refuses it. No tenant has one.
 */
export const wholeLabSettings: Reasons = reasons.forWholeLab;

/** The settings of JSON that a running lab refuses, each with its reason. */
export const startSettings: Reasons = { ...reasons.atStart, ...wholeLabSettings };

/** All settings that never change while a lab runs, each with its reason. */
export const fixedSettings: Reasons = { ...refusedSettings, ...startSettings };

export function settingsForTenants(config: CoreLabConfig): Partial<CoreLabConfig> {
  const given = Object.entries(config);
  return Object.fromEntries(given.filter(([name]) => Object.hasOwn(reasons.inherited, name)));
}

/** Checks changes of the settings of a lab that runs: `null` removes one. The lab checks values. */
export function checkChanges(changes: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(changes)) checkNotRefused(name, ownMember(fixedSettings, name));
  checkSettingsOverHttp(
    Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
  );
}

/** Checks settings that come over HTTP. `others` are members of the body besides them. */
export function checkSettingsOverHttp(
  settings: Readonly<Record<string, unknown>>,
  others: ObjectSchema["members"] = {},
): void {
  const { insecure } = settings;
  for (const name of Object.keys(settings)) {
    checkNotRefused(name, ownMember(refusedSettings, name), others);
  }
  if (isObject(insecure) && "privateFetches" in insecure) {
    checkNotRefused("insecure.privateFetches", reachReason);
  }
  checkBody({ ...settingsSchema, members: { ...settingsSchema.members, ...others } }, settings);
}

function checkNotRefused(
  name: string,
  reason: string | undefined,
  others: ObjectSchema["members"] = {},
): void {
  if (reason === undefined || Object.hasOwn(others, name)) return;
  throw new LabError(`'${name}' cannot be set here: ${reason}.`);
}
