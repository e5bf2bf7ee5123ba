import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import { needs } from "../support/where_feature.ts";

describe("A subscriber to a lab", () => {
  it(
    "gets the events of its server, of the faults that fire, of exchanges and of the clock",
    needs("faults"),
    async () => {
      await using lab = openLab({ issuer: "https://hallpass.test" });
      const types: string[] = [];
      const unsubscribe = lab.subscribe((event) => types.push(event.type));
      lab.clock.advance("1h");
      lab.fault("jwks.html", { times: 1 });
      await lab.fetch(new Request(`${lab.issuer}/oauth2/jwks`));
      await lab.mint({ sub: "alice" });
      lab.clock.reset();
      lab.clock.reset();
      unsubscribe();
      lab.clock.freeze();
      assertEquals(types.filter((type) => type !== "key.made"), [
        "clock.moved",
        "fault.fired",
        "exchange.recorded",
        "token.issued",
        "clock.moved",
      ]);
    },
  );
});
