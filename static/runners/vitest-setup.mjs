import { hallpass } from "./testing.mjs";

/** Returns a `globalSetup` that starts a lab for an application in another process. */
export function labSetup(options) {
  return async (project) => {
    const lab = await hallpass({ listen: true, ...options });
    project.provide("hallpassIssuer", lab.issuer);
    // In watch mode, a run begins with a lab as it was at its start.
    project.onTestsRerun?.(() => lab.reset());
    return async () => {
      try {
        lab.assertClean();
      } finally {
        await lab.close();
      }
    };
  };
}

export default labSetup();
