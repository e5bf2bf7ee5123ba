import type { ClientConfig } from "../../../server/features.ts";

/** What lets a demo service introspect the tokens of every client. */
export const seesEveryToken: Pick<ClientConfig, "introspect"> = { introspect: "any" };
