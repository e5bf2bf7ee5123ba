// Cypress does not run in our CI, which checks the types of this file.

beforeEach(() => cy.lab("/reset", {}));
afterEach(() => cy.assertClean());

it("greets Alice", () => {
  cy.signIn("alice");
  cy.visit("/");
  cy.contains("Hello Alice");
});

it("explains that the provider is down", () => {
  cy.lab("/faults", { name: "token.server_error", times: 1 });
  cy.signIn("alice");
  cy.visit("/", { failOnStatusCode: false });
  cy.contains("Please try again");
});

it("shows more to an administrator", () => {
  cy.lab("/faults", { name: "token.claims", claims: { roles: ["admin"] } });
  cy.signIn("alice");
  cy.visit("/admin");
  cy.contains("Users");
});
