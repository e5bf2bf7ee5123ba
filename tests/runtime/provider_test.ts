import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { createProvider, LabError, type Provider } from "../../src/lab/testing/mod.ts";
import { listen as listenAt } from "../support/listen.ts";

const listen = (provider: Provider, port?: number) =>
  new Promise<Error | undefined>((resolve) => void provider.listen(port, resolve));

const close = (provider: Provider) =>
  new Promise<Error | undefined>((resolve) => void provider.close(resolve));

async function statusOf(issuer: string): Promise<number> {
  const response = await fetch(`${issuer}/health`);
  await response.text();
  return response.status;
}

describe("A provider for fixtures that do not wait for promises", () => {
  it("listens, calls back without an argument, and closes", async () => {
    const provider = createProvider({ signIn: "alice" });
    const passed = await new Promise<unknown[]>((resolve) =>
      void provider.listen((...args) => resolve(args))
    );
    assertEquals(passed, []);
    const { issuer } = provider;
    assertEquals(issuer, provider.lab.issuer);
    assertEquals(await statusOf(issuer), 200);
    assertEquals(await close(provider), undefined);
    assertEquals(await statusOf(issuer).catch(() => "refused"), "refused");
  });

  it("listens on a port, again and again", async () => {
    const provider = createProvider();
    await listen(provider);
    const { issuer } = provider;
    const port = Number(new URL(issuer).port);
    for (let round = 0; round < 3; round++) {
      await close(provider);
      assertEquals(await listen(provider, port), undefined);
      assertEquals([provider.issuer, await statusOf(issuer)], [issuer, 200]);
    }
    await close(provider);
    assertEquals(await close(provider), undefined);
  });

  it("closes while it starts", async () => {
    const provider = createProvider();
    provider.listen();
    assertEquals(await close(provider), undefined);
    assertThrows(() => provider.lab, LabError);
  });

  it("calls back with the error if the port is taken or the configuration is invalid", async () => {
    const provider = createProvider();
    const { port, ...taken } = await listenAt(createServer());
    assert(await listen(provider, port) instanceof Error);
    await taken[Symbol.asyncDispose]();
    assertEquals(await listen(provider, port), undefined);
    await close(provider);
    const error = await listen(createProvider({ users: [{ name: "" }] }));
    assertMatch(String(error), /users/);
  });

  it("refuses a port that is none, a second start, and what needs a lab that listens", async () => {
    const provider = createProvider();
    assertThrows(() => provider.issuer, LabError, "The provider does not listen");
    for (const port of [-1, 65536, 1.5, "3000" as unknown as number]) {
      assertThrows(() => provider.listen(port), LabError, "must be a whole number");
    }
    await listen(provider);
    assertThrows(() => provider.listen(), LabError, "listens already");
    await close(provider);
  });
});
