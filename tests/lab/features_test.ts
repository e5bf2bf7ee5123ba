import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { featureInterfaces } from "../../src/lab/feature_interfaces.ts";
import { features } from "../../src/lab/features.ts";
import { placeEntries } from "../../src/lab/util/place_entries.ts";

/** A core of a lab that is still being opened. */
const closedCore = { parts: () => refuse(), lab: () => refuse() };

function refuse(): never {
  throw new Error("The core is not open yet.");
}

describe("A feature of a lab", () => {
  for (const feature of features) {
    it(`touches nothing of the core while it is opened: ${feature.name}`, () => {
      feature.open(closedCore);
      assertThrows(() => closedCore.lab(), Error, "not open yet");
    });
  }

  it("has a name and members that no other has", () => {
    const names = features.map(({ name }) => name);
    const members = features.map((feature) => feature.open(closedCore)).flatMap((
      { tools, internals },
    ) => [...Object.keys(tools), ...Object.keys(internals)]);
    for (const list of [names, members]) assertEquals(new Set(list).size, list.length);
  });

  it("has pages and operations that no other has", () => {
    const routes = featureInterfaces.flatMap(({ operations = [], pages = [] }) => [
      ...operations.map(({ method, path }) => `${method} ${path}`),
      ...pages.map(({ method, path }) => `${method} ${path} as a page`),
    ]);
    assertEquals(new Set(routes).size, routes.length);
  });
});

describe("placeEntries", () => {
  it("puts an entry before the one that it names, or at the end", () => {
    const entries = placeEntries([{ name: "a" }, { name: "c" }], [
      { name: "b", before: "c" },
      { name: "d" },
      { name: "e", before: "none of them" },
    ]);
    assertEquals(entries.map(({ name }) => name).join(""), "abcde");
  });
});
