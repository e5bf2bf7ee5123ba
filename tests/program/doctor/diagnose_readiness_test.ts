import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { diagnoseReadiness } from "../../../src/program/doctor/diagnose_site.ts";

const issuer = "https://id.example";
const metrics = { host: "localhost", port: 9464 };

function findings(respond: () => Response | Promise<Response>) {
  return diagnoseReadiness({ issuer, metrics }, async () => await respond());
}

describe("What hallpass doctor learns from the metrics port", () => {
  it("R2: is a problem, if the server's clock differs from its store's", async () => {
    const warning = "The clock of this server is 46800 seconds ahead of its store's.";
    const found = await findings(() => Response.json({ status: "ready", issuer, warning }));
    assertEquals(found, [{ level: "problem", message: warning }]);
  });

  it("is why the server is not ready", async () => {
    const body = { status: "not ready", issuer, reason: "The server is closing." };
    const found = await findings(() => Response.json(body, { status: 503 }));
    assertEquals(found.map(({ level, message }) => [level, message]), [
      ["problem", "The server is not ready: The server is closing."],
    ]);
  });

  it("is nothing from a server that is ready, another one, another program, or none", async () => {
    const responses = [
      () => Response.json({ status: "ready", issuer }),
      () => Response.json({ issuer: "https://other.example", warning: "Of the other." }),
      () => new Response("<h1>Hello</h1>"),
      () => Promise.reject(new Error("refused")),
    ];
    assertEquals(await Promise.all(responses.map((respond) => findings(respond))), [
      [],
      [],
      [],
      [],
    ]);
    const never = () => Promise.reject(new Error("asked"));
    assertEquals(await diagnoseReadiness({ issuer, metrics: undefined }, never), []);
  });
});
