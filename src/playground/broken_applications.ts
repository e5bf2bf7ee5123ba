import source from "../../static/playground_application.js" with { type: "text" };

/** A mistake that a link makes in the application. */
export interface BrokenApplication {
  /** Its name in a link. */
  name: string;
  title: string;
  /** What the lab's report or its refusal says about it: the id of a rule. */
  finding: string;
  /** Text of the correct application, and what replaces it. */
  changes: ReadonlyArray<readonly [correct: string, broken: string]>;
}

/** Adds a fault to the lab: what a careless application does not notice must first happen. */
const attack = (fault: string) => `
  // An attack, played by the lab: see what the application does.
  await fetch(\`\${issuer}/lab/faults\`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "${fault}", times: 1 }),
  });
`;

const start = "\n  // What the callback and the tokens are compared with.";

/** The mistakes, in the order in which a flow makes them. */
export const brokenApplications: readonly BrokenApplication[] = [
  {
    name: "no-state",
    title: "forgets the state",
    finding: "wrong-state-believed",
    changes: [
      [start, attack("callback.wrong_state") + start],
      [
        `  if (callback.get("state") !== state) throw new Error("The callback has another state.");\n`,
        "",
      ],
    ],
  },
  {
    name: "no-pkce",
    title: "no PKCE",
    finding: "pkce.challenge",
    changes: [
      [
        `    code_challenge: await challengeOf(verifier),\n    code_challenge_method: "S256",\n`,
        "",
      ],
    ],
  },
  {
    name: "code-twice",
    title: "sends the code twice",
    finding: "code-redeemed-twice",
    changes: [[
      `  const tokens = await getJson(server.token_endpoint, { method: "POST", body });\n`,
      `  const tokens = await getJson(server.token_endpoint, { method: "POST", body });
  await fetch(server.token_endpoint, { method: "POST", body });\n`,
    ]],
  },
  {
    name: "wrong-verifier",
    title: "wrong verifier",
    finding: "pkce.verifier",
    changes: [["code_verifier: verifier,", "code_verifier: randomText(),"]],
  },
  {
    name: "no-nonce",
    title: "ignores the nonce",
    finding: "bad-id-token-believed",
    changes: [
      [start, attack("id_token.wrong_nonce") + start],
      [`  if (claims.nonce !== nonce) throw new Error("The ID token has another nonce.");\n`, ""],
    ],
  },
  {
    name: "expired-token",
    title: "expired token",
    finding: "lifetime-ignored",
    changes: [[
      "  text.textContent = `Hello, ${user.name}!`;",
      `  // Two hours later. The lab moves its clock, so that nobody waits.
  await fetch(\`\${issuer}/lab/clock\`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ advance: "2h" }),
  });
  await getJson(server.userinfo_endpoint, { headers });
  text.textContent = \`Hello, \${user.name}!\`;`,
    ]],
  },
];

/** Returns the source of the application, with the mistake of a name if there is one. */
export function sourceOf(name: string): string {
  const changes = brokenApplications.find((each) => each.name === name)?.changes ?? [];
  return changes.reduce((text, [correct, broken]) => text.replace(correct, () => broken), source);
}
