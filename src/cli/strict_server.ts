import type { Config } from "../config/config.ts";
import { labSettingProblem } from "../config/lab_settings.ts";
import { testOnly } from "../lab/keys/test_keys.ts";
import { guardedFetch } from "../runtime/serve.ts";
import { createInternalServer, type InternalServer } from "../server.ts";
import { UsageError } from "./command.ts";
import type { LabFileConfig } from "./program_config.ts";

/** Makes a server for real use, which takes no setting that weakens it. */
export function createStrictServer(config: Config, lab: LabFileConfig): InternalServer {
  for (const [name, value] of Object.entries(lab)) {
    if (value === undefined) continue;
    const reason = labSettingProblem(name);
    throw new UsageError(
      `hallpass serve does not accept '${name}', which is for labs only` +
        `${reason === undefined ? "" : `: ${reason}`}. Remove it, or use: hallpass lab`,
    );
  }
  if (config.insecure) {
    throw new UsageError(
      "hallpass serve does not accept 'insecure' settings. Remove them, and give the server an " +
        "https issuer, with --cert and --key or a proxy in front. To try things out without " +
        "https: hallpass lab",
    );
  }
  return createInternalServer({ fetchUntrusted: guardedFetch(), ...config });
}

/** Checks that no lab has used the store: the keys of labs are public. */
export async function checkNoTestKeys({ context }: InternalServer): Promise<void> {
  const keys = await context.records.keys.list();
  if (keys.some(([, { kid }]) => kid.startsWith(testOnly))) {
    throw new UsageError(
      "This store was used by a lab, whose signing keys are public. Use a different store for " +
        "this server.",
    );
  }
}
