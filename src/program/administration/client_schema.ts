import settings from "../../../static/settings/clients.json" with { type: "json" };
import type { ObjectSchema } from "../../server/config/schema.ts";

const { schema, defaults }: { schema: object; defaults: Readonly<Record<string, unknown>> } =
  settings.ClientConfig;

/**
 * The settings of a client with those of every feature. They are data, so that the options of a
 * command are known without loading the server.
 */
export const clientMembers = (schema as ObjectSchema).members;

export { defaults as clientDefaults };
