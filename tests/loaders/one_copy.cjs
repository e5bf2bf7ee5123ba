// What is required and what is imported is one copy of the package.
const { createServer } = require("hallpass");
const { protectedResource } = require("hallpass/resource");
const { LabError } = require("hallpass/testing");

Promise.all([import("hallpass"), import("hallpass/resource"), import("hallpass/testing")]).then(
  ([server, resource, testing]) =>
    console.log(JSON.stringify([
      server.createServer === createServer,
      resource.protectedResource === protectedResource,
      testing.LabError === LabError,
    ])),
);
