import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { catalogue } from "../../../../src/lab/features/faults/catalogue.ts";

describe("The documents", () => {
  it("say how many faults there are", () => {
    const documents = ["README.md", ".github/TESTING_A_CLIENT.md"]
      .map((path) => readFileSync(path, "utf8"));
    const numbers = documents.flatMap((text) =>
      [...text.matchAll(/\bover (\d+)(?: named faults|: endpoints)/g)].map(([, each]) =>
        Number(each)
      )
    );
    const hundreds = Math.floor(catalogue.size / 100) * 100;
    assertEquals(numbers, [hundreds, hundreds]);
  });
});
