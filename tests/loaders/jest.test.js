// Jest with its defaults: CommonJS, nothing transformed in node_modules.
const { hallpass, LabError } = require("hallpass/testing");

test("a lab in Jest", async () => {
  const lab = await hallpass({ listen: true });
  const { access_token } = await lab.mint({ sub: "alice" });
  const headers = { Authorization: `Bearer ${access_token}` };
  expect((await fetch(`${lab.issuer}/oauth2/jwks`)).status).toBe(200);
  expect((await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers })).status).toBe(403);
  expect(() => lab.fault("no.such_fault")).toThrow(LabError);
  await lab.close();
});

test("a token that expires, with fake timers", async () => {
  jest.useFakeTimers();
  try {
    const lab = await hallpass();
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid", expiresIn: "10m" });
    const headers = { Authorization: `Bearer ${access_token}` };
    const userinfo = () => lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers });
    expect((await userinfo()).status).toBe(200);
    jest.advanceTimersByTime(11 * 60_000);
    expect((await userinfo()).status).toBe(401);
    await lab.close();
  } finally {
    jest.useRealTimers();
  }
});
