import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Invocation } from "../../../src/program/command_line/command.ts";
import {
  listenAddressOf,
  readConfiguration,
} from "../../../src/program/configuration/configuration.ts";
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

describe("The port of a lab whose issuer is below localhost (F5)", () => {
  type Options = Record<string, string[]>;
  const issuer = ["https://auth.localhost:9443"];
  const cases: Array<[what: string, options: Options, isLab: boolean, port: number]> = [
    ["is that of its issuer", { issuer, tls: [] }, true, 9443],
    ["is the one that it is given", { issuer, tls: [], port: ["9001"] }, true, 9001],
    ["is the usual one if something else has the certificate", { issuer }, true, 9000],
    ["is the usual one on localhost", { issuer: ["http://localhost:8080"] }, true, 9000],
    ["is no business of serve", { issuer: ["http://auth.localhost:8080"] }, false, 9000],
  ];
  for (const [what, options, isLab, port] of cases) {
    it(what, async () => {
      const values = new Map(Object.entries(options));
      const invocation = { values, operands: [] } as unknown as Invocation;
      assertEquals((await readConfiguration(invocation, {}, isLab)).program.port, port);
    });
  }
});
