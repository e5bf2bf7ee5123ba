import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Reported } from "../../../../src/lab/features/report/refused_requests.ts";
import type { Report } from "../../../../src/lab/features/report/report.ts";
import { reportToText } from "../../../../src/lab/features/report/report_text.ts";
import type { Finding } from "../../../../src/lab/findings/finding.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import {
  verdictOn,
  verdictOnRun,
} from "../../../../src/program/features/report/run_report_command.ts";

const advice: Finding = {
  id: "nonce-missing",
  title: "Send a nonce.",
  grade: "B",
  kind: "security",
  where: { client: "web", exchanges: [1] },
};

/** The report of a lab, as if its client had been found to do something. */
async function reportWith(findings: Finding[], more: Partial<Report> = {}): Promise<Report> {
  await using lab = await hallpass();
  await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`);
  return { ...lab.report(), findings, ...more };
}

describe("reportToText", () => {
  it("says that there is nothing to do", async () => {
    const counts = { requests: 1, violations: 0, refused: 0, advice: 0 };
    const clients = [{ client: "web", examined: true, ...counts }] as const;
    assertEquals(reportToText(await reportWith([], { clients: [...clients] })).split("\n"), [
      "The report of 1 request to the lab:",
      "Client web: Sent nothing wrong",
      "No client broke a rule, and no request was refused.",
      "The report shows what the application sent. What it accepts, only a drill shows.",
    ]);
  });

  it("is no all-clear before a login has finished, and says what to do", async () => {
    assertEquals(reportToText(await reportWith([])).split("\n"), [
      "The report of 1 request to the lab:",
      "No login has finished yet, so nothing has been examined.",
      "Sign in with the application first. If the login fails, its flow says why.",
    ]);
  });

  it("has the grades of APIs, and what tested nothing", async () => {
    const found: Finding = { ...advice, id: "no_token", grade: "F", where: {} };
    const ofApi = [found, advice];
    const verdict = { tested: 1, total: 1, untested: [], notes: [] };
    const apis = [
      { ...verdict, url: "http://localhost:1/", grade: "A", findings: [] },
      { ...verdict, url: "http://localhost:2/", client: "web", findings: ofApi },
    ] as const;
    const report = await reportWith([], { apis, idleFaults: ["token.timeout", "userinfo.slow"] });
    assertEquals(reportToText(report).split("\n").slice(1), [
      "API http://localhost:1/: grade A. No findings. 1 of 1 checks.",
      "API http://localhost:2/ (client web): no grade. Findings: 1 F, 1 B. 1 of 1 checks.",
      "F no_token: Send a nonce.",
      "B nonce-missing (client web): Send a nonce.",
      "  At request 1.",
      "Never fired: token.timeout, userinfo.slow",
    ]);
  });

  it("has what is alike once, and counts the rest", async () => {
    const other = { ...advice, where: { ...advice.where, exchanges: [2] } };
    assertEquals(reportToText(await reportWith([advice, other, other])).split("\n").slice(1), [
      "Requests that name no client",
      "B nonce-missing (client web): Send a nonce.",
      "  At request 1.",
      "  And 2 more like this.",
    ]);
  });

  it("has what was found earlier, which counts", async () => {
    const where = { client: "web" };
    const earlier: Reported[] = [
      { ...advice, id: "state-reused", title: "Create a state.", grade: "C", where },
      { id: "code.unused", title: "Refused.", kind: "security", error: "invalid_grant", where },
    ];
    const report = await reportWith([], { earlier });
    assertEquals(reportToText(report).split("\n").slice(1), [
      "Found before a reset, before the newest 2,000 requests, or at a closed tenant:",
      "C state-reused (client web): Create a state.",
      "refused code.unused (client web): Refused.",
      "To forget what was found earlier, choose Start over on the page /lab/report.",
    ]);
    assertEquals(verdictOn(report, {}), 8);
    const refused = { ...report, earlier: earlier.slice(1) };
    const { verdict, note } = verdictOnRun({ report: () => refused }, {});
    assertEquals(verdict, 0);
    assertEquals(note, "1 request was refused; with --report any, the run fails.");
    assertEquals(verdictOnRun({ report: () => refused }, { refused: true }).verdict, 8);
  });
});
