import type { Context } from "../../issuer/context.ts";
import { serverPart } from "../../issuer/part_of.ts";
import type { Table } from "../../issuer/records/table.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import { type LogoutPages, logoutPages, logoutPaths } from "./config.ts";

/** A logout request that waits for the user. */
export interface StoredLogoutRequest {
  /** The claims of its ID token. The token itself is a credential elsewhere and is not stored. */
  hint?: SubjectHint & { sid?: string | undefined; authorization?: string | undefined } | undefined;
  parameters: Record<string, string>;
}

/** What a server has for logout requests. */
interface LogoutParts {
  path: string;
  pages: LogoutPages;
  requests: Table<StoredLogoutRequest>;
}

function createParts({ settings, records: { open } }: Context): LogoutParts {
  return {
    path: logoutPaths.of(settings.paths).logout,
    pages: logoutPages.of(settings.pages),
    requests: open.secret("logout-request"),
  };
}

export const logoutParts = serverPart(createParts);
