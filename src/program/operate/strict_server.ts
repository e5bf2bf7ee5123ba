import { guardedFetch } from "../../runtime/serve.ts";
import { ConfigError } from "../../server/config/problems.ts";
import { testSettings } from "../../server/config/test_settings.ts";
import type { Config } from "../../server/features.ts";
import type { Context } from "../../server/issuer/context.ts";
import { testOnly } from "../../server/model/signing.ts";
import type { InternalServer } from "../../server/server.ts";
import { type Configuration, findServerProblems } from "../configuration/configuration.ts";
import type { LabFileConfig } from "../configuration/program_config.ts";
import { UsageError } from "../terminal/exit_code.ts";
import { type ServerOpening, withListener } from "./start_server.ts";

/** Creates a server for real use. It accepts no setting that weakens it. */
export async function createStrictServer(
  config: Config,
  lab: LabFileConfig,
): Promise<InternalServer> {
  const labSetting = findLabSetting(lab);
  if (labSetting !== undefined) {
    throw new UsageError(
      `hallpass serve does not accept '${labSetting}', which is for labs only: ` +
        `${testSettings[labSetting]}. Remove it, or use: hallpass lab`,
    );
  }
  if (config.insecure) {
    const problem = "hallpass serve does not accept 'insecure' settings. Remove them, and use an " +
      "https issuer: pass --cert and --key, or run the server behind a proxy. To try it without " +
      "https, use: hallpass lab";
    throw new ConfigError([problem, ...await findServerProblems(config)], "start the server");
  }
  const { createFullServer } = await import("../../server/features.ts");
  return createFullServer({ fetchUntrusted: guardedFetch(), ...config });
}

/** Finds a setting that only a lab takes. */
export function findLabSetting(lab: LabFileConfig): string | undefined {
  return Object.entries(lab).find(([, value]) => value !== undefined)?.[0];
}

/** Opens a server for real use, and resolves when it is ready. */
async function openStrictServer(
  config: Config,
  lab: LabFileConfig,
): Promise<InternalServer> {
  const server = await createStrictServer(config, lab);
  await server.ready();
  await checkNoTestKeys(server);
  return server;
}

/** Returns how a server for real use is opened with a configuration. */
export function strictOpening(configuration: Configuration): ServerOpening<InternalServer> {
  return {
    configuration,
    open: (config, onEvent) => openStrictServer(withListener(config, onEvent), configuration.lab),
  };
}

/** Checks that no signing key is one of a lab, because those keys are public. */
export async function checkNoTestKeys({ context }: InternalServer): Promise<void> {
  const configured = await context.keys.configured();
  const testKey = configured.find(({ kid }) => kid.startsWith(testOnly));
  if (testKey) {
    throw new UsageError(
      `The configured signing key '${testKey.kid}' is that of a lab, which is public. Use a key ` +
        "of your own.",
    );
  }
  if (await hasTestKeys(context)) throw new UsageError(usedByLab);
}

/** Why a server for real use refuses the store of a lab. */
export const usedByLab = "This store was used by a lab, whose signing keys are public. Use a " +
  "different store for this server.";

/** Returns whether a store has signing keys of a lab. */
export async function hasTestKeys({ records }: Context): Promise<boolean> {
  return (await records.keys.list()).some(([, { kid }]) => kid.startsWith(testOnly));
}
