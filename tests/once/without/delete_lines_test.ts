import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { deleteLines, deleteSettings, settingsIn } from "../../../scripts/without/delete_lines.ts";

const lists = `import type { PinPaths } from "./features/pin/config.ts";
import { pin, type PinCode } from "./features/pin/feature.ts";
import { pins } from "./features/pins/feature.ts";

export type { PinPaths } from "./features/pin/config.ts";
export type * from "./features/pin/words.ts";

export const features = [
  pin,
  pins,
];

export interface Paths extends CorePaths, PinPaths {}
export type { CorePaths, PinCode };
export const forms = { ...pin, ...pins };
type Codes =
  | PinCode
  | CoreCode;
`;

describe("deleteLines", () => {
  it("deletes the imports and exports of a feature, and its elements of lists", () => {
    assertEquals(deleteLines(lists, "pin"), {
      source: `import { pins } from "./features/pins/feature.ts";


export const features = [
  pins,
];

export interface Paths extends CorePaths {}
export type { CorePaths };
export const forms = { ...pins };
type Codes =
  | CoreCode;
`,
      left: [],
    });
  });

  it("names what a file does with a feature besides listing it", () => {
    const source = `import { open } from "../features/pin/open.ts";\nopen?.();\n`;
    assertEquals(deleteLines(source, "pin"), { source: "open?.();\n", left: ["open"] });
    const row = "type Row = [name: string, code: PinCode, more?: string];\n";
    const typed = `import type { PinCode } from "../features/pin/feature.ts";\n${row}`;
    assertEquals(deleteLines(typed, "pin"), { source: row, left: ["PinCode"] });
  });

  it("deletes what another feature has for it from lists", () => {
    const source =
      `import { codes } from "../features/card/pin.ts";\nexport const all = [codes, own];\n`;
    const without = { source: "export const all = [own];\n", left: [] };
    assertEquals(deleteLines(source, "pin"), without);
  });

  it("deletes the settings of a feature from data, and from lists of their names", () => {
    const declared = `export interface PinSetting {\n  /** Its length. */\n  pin?: number;\n}\n` +
      `export interface PinShape {\n  digits?: number;\n}\n`;
    assertEquals(settingsIn(declared), ["pin"]);
    const data = `type Names =\n  | "pin"\n  | "card";\n` +
      `const a = [{ pin: 4 }, { pin: 4, card: 1 }, { card: 1, pin: 4 }];\n` +
      `const b = {\n  pin: 4,\n  card: 1,\n};\nconst { pin } = b;\n`;
    const expected = `type Names =\n  | "card";\n` +
      `const a = [{ }, { card: 1 }, { card: 1 }];\nconst b = {\n  card: 1,\n};\nconst { pin } = b;\n`;
    assertEquals(deleteSettings(data, ["pin"]), expected);
    assertEquals(deleteSettings(data, []), data);
  });

  it("leaves a file alone that lists no name of the feature", () => {
    assertEquals(deleteLines(lists, "push"), { source: lists, left: [] });
  });
});
