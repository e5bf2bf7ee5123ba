// Cypress does not run in our CI, which checks the types against Cypress's own and starts this lab.
import { defineConfig } from "cypress";
import { hallpass } from "hallpass/testing";

const application = "http://localhost:3000";

export default defineConfig({
  e2e: {
    baseUrl: application,
    supportFile: "support.ts",
    specPattern: "*.cy.ts",
    async setupNodeEvents(on, config) {
      const lab = await hallpass({
        listen: config.env.HALLPASS_PORT ?? 9000,
        clients: [{ id: "shop", redirectUris: [`${application}/callback`] }],
      });
      on("after:run", () => lab.close());
      return { ...config, env: { ...config.env, HALLPASS_URL: lab.issuer } };
    },
  },
});
