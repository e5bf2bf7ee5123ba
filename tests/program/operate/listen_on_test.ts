import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { explainListening } from "../../../src/program/operate/listen_on.ts";

describe("explainListening", () => {
  const address = { hostname: "id.exmaple.org", port: 80 };
  const cases: Array<[code: string, message: string, says: string]> = [
    ["EACCES", "permission denied 127.0.0.1:80", "may not listen on port 80; choose one from 1024"],
    ["EAI_AGAIN", "resource temporarily unavailable, listen", "id.exmaple.org is not an address"],
    ["EADDRNOTAVAIL", "address not available", "choose another with --host"],
    ["", "failed to lookup address information", "is not an address of this machine"],
  ];
  for (const [code, message, says] of cases) {
    it(`knows ${code || message}`, () => {
      const cause = Object.assign(new Error(message), { code });
      assertStringIncludes(explainListening(cause, address) ?? "", says);
    });
  }

  it("names the option of the port", () => {
    const cause = Object.assign(new Error("not there"), { code: "EADDRNOTAVAIL" });
    const explanation = explainListening(cause, address, "--metrics-port");
    assertStringIncludes(explanation ?? "", "choose another with --metrics-host");
  });

  it("leaves other errors", () => {
    assertEquals(explainListening(new Error("EMFILE: too many open files"), address), undefined);
  });
});
