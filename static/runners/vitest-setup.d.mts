import type { TestProject } from "vitest/node";
import type { HallpassOptions } from "./fixtures.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The issuer of the lab of the run. Its interface over HTTP is at `/lab` there. */
    hallpassIssuer: string;
  }
}

/**
 * Returns a `globalSetup` of Vitest that starts a lab for an application in another process. Tests
 * get its issuer by `inject("hallpassIssuer")`. It fails the run if the application broke a rule.
 */
export declare function labSetup(
  options?: HallpassOptions,
): (project: TestProject) => Promise<() => Promise<void>>;

declare const setup: ReturnType<typeof labSetup>;
export default setup;
