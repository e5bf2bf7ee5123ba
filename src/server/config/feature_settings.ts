import type { ObjectSchema } from "./schema.ts";

/** Members that a feature adds to a group of settings, as a server has them. */
export interface FeatureSettings<Resolved extends object = object> {
  readonly schema: ObjectSchema;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Returns the members of this part, from a group whose defaults are filled in. */
  of(group: object): Resolved;
}
