// Cypress does not run in our CI, which checks the types and sends the requests of these commands.

declare global {
  namespace Cypress {
    interface Chainable {
      /** Signs a user in at each authorization request from now on, without a page. */
      signIn(user: string): Chainable<unknown>;
      /** Sends a body to the lab, or reads from it: `cy.lab("/clock", { advance: "2h" })`. */
      lab<T = unknown>(path: string, body?: object, method?: HttpMethod): Chainable<T>;
      /** Fails if the application broke a rule of OAuth; with `{ refused: true }`, if refused. */
      assertClean(options?: { refused?: boolean }): Chainable<unknown>;
    }

    interface Report {
      /** What is wrong with the report itself: that no request reached the lab. */
      problem?: string;
    }
  }
}

Cypress.Commands.add("lab", (path, body, method = body ? "POST" : "GET") => {
  const token = Cypress.env("HALLPASS_LAB_TOKEN");
  return cy.request({
    method,
    url: `${Cypress.env("HALLPASS_URL")}/lab${path}`,
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    ...body && { body },
  }).its("body");
});

Cypress.Commands.add("signIn", (user) => cy.lab("/sign-in", { user }));

let wantsClean = false;

Cypress.Commands.add("assertClean", (options = {}) => {
  wantsClean = true;
  return cy.lab("/assert-clean", options);
});

after(() =>
  cy.lab<Cypress.Report>("/report").then(({ problem }) => {
    if (wantsClean && problem) throw new Error(problem);
  })
);

export {};
