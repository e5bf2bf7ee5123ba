import type { ObjectSchema, Schema } from "./schema.ts";

/** Members that a feature adds to a group of settings, as a server has them. */
export interface FeatureSettings<Resolved extends object = object> {
  readonly schema: ObjectSchema;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Returns the members of this part, from a group whose defaults are filled in. */
  of(group: object): Resolved;
}

/** What one feature adds to the configuration: members of these groups, each with its default. */
export interface FeatureConfig {
  readonly lifetimes?: FeatureSettings;
  readonly pages?: FeatureSettings;
  readonly paths?: FeatureSettings;
}

/** A part of the settings as `deno task generate` writes it. */
interface PartData {
  schema: object;
  defaults?: Readonly<Record<string, unknown>>;
}

/**
 * Creates settings from the data that was generated from their interface. Functions cannot be
 * generated, so they are passed as `code`.
 */
export function settingsPart<Resolved extends object>(
  { schema, defaults }: PartData,
  code: object = {},
): FeatureSettings<Resolved> {
  return {
    schema: schema as ObjectSchema,
    defaults: { ...defaults, ...code },
    // The group was checked against the schema, and has a value for each member.
    of: (group) => group as Resolved,
  };
}

/** Adds the members of features to the groups of a schema. */
export function withFeatures(
  schema: ObjectSchema,
  configs: readonly FeatureConfig[],
): ObjectSchema {
  const groups = configs.flatMap((config) => Object.entries(config));
  return { ...schema, members: groups.reduce(addToGroup, schema.members) };
}

function addToGroup(
  members: ObjectSchema["members"],
  [name, part]: [name: string, FeatureSettings],
): Record<string, Schema> {
  const group = members[name];
  if (group?.type !== "object") throw new Error(`The configuration has no group '${name}'.`);
  const names = Object.keys(part.schema.members);
  const taken = names.find((each) => Object.hasOwn(group.members, each));
  if (taken) throw new Error(`The setting '${name}.${taken}' is defined twice.`);
  const added = { ...group, members: { ...group.members, ...part.schema.members } };
  return { ...members, [name]: added };
}

/** Returns the defaults that features have in a group. */
export function defaultsIn(
  group: keyof FeatureConfig,
  configs: readonly FeatureConfig[],
): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...configs.map((config) => config[group]?.defaults));
}
