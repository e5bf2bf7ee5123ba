import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { listenAddressOf } from "../../../src/program/configuration/configuration.ts";
import { issuerProblem } from "../../../src/server/protocol/issuer_url.ts";

describe("The address of a server on this machine", () => {
  for (
    const [hasTls, port, address] of [
      [false, 9000, "http://localhost:9000"],
      [false, 80, "http://localhost"],
      [true, 443, "https://localhost"],
      [true, 80, "https://localhost:80"],
    ] as const
  ) {
    it(`V6: is an issuer on port ${port}${hasTls ? " with TLS" : ""}`, () => {
      const configuration = { program: {}, server: {}, hasTls } as Parameters<
        typeof listenAddressOf
      >[0];
      const found = listenAddressOf(configuration, port);
      assertEquals([found, issuerProblem(found, false)], [address, undefined]);
    });
  }
});
