import type { ObjectSchema, Schema } from "../../../server/config/schema.ts";
import { checkBody } from "../../lab_server/changeable_settings.ts";
import { type OneTimeName, oneTimeNames } from "./one_time_credentials.ts";

/** What to change in a recorded request before it is sent again. All else stays as it was. */
export interface ReplayChanges {
  /**
   * Parameters of the query or the form, by their names: a value, a list for a repeated one, or
   * `null` for one to leave out.
   */
  parameters?: Record<string, string | readonly string[] | null> | undefined;
  /** Headers by their names; `null` leaves one out. */
  headers?: Record<string, string | null> | undefined;
  /**
   * The id of the client that authenticates, with the credentials that the lab knows. With `null`,
   * the request only names its client, and does not authenticate it.
   */
  client?: string | null | undefined;
  /**
   * Which one-time credentials the lab replaces by new ones: `true` for all that it can make, or
   * their names. Those that `parameters`, `headers` or `client` change stay as changed.
   *
   * @default false
   */
  fresh?: boolean | readonly OneTimeName[] | undefined;
  /**
   * Whether the result shows codes, tokens, passwords and other secrets.
   *
   * @default false
   */
  secrets?: boolean | undefined;
}

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };

const schema: ObjectSchema = {
  type: "object",
  required: [],
  members: {
    parameters: { type: "map", values: { type: "anyOf", options: [text, texts] } },
    headers: { type: "map", values: text },
    client: text,
    fresh: {
      type: "anyOf",
      options: [{ type: "boolean" }, {
        type: "array",
        items: { type: "enum", values: oneTimeNames },
      }],
    },
    secrets: { type: "boolean" },
  },
};

/**
 * Checks the changes of a test.
 *
 * @throws {LabError} There is no such change, or a value is invalid.
 */
export function checkReplayChanges(changes: ReplayChanges): void {
  const { parameters, headers, client } = changes;
  checkBody(
    schema,
    withoutNull({
      ...changes,
      ...parameters && { parameters: withoutNull(parameters) },
      ...headers && { headers: withoutNull(headers) },
      ...client === null && { client: undefined },
    }),
  );
}

/** A member that is `null` removes something, whatever type it has else. */
function withoutNull(members: object): Record<string, unknown> {
  const present = Object.entries(members).filter(([, value]) =>
    value !== null && value !== undefined
  );
  return Object.fromEntries(present);
}
