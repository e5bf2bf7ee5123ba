import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { createFullServer } from "../../src/server/features.ts";
import type { AnswerForUser } from "../../src/server/issuer/server_hooks.ts";
import { ConfigError, createServer, type ServerEvent } from "../../src/server/mod.ts";
import { createBrowser } from "../support/browser.ts";
import { authorizationUrl } from "../support/login.ts";

const issuer = "https://hallpass.test";
const alice: AnswerForUser = () => ({ signIn: { userName: "alice" } });
const consenting: AnswerForUser = () => ({});

/** Signs in one user after the other. */
function naming(...userNames: string[]): AnswerForUser {
  return () => ({ signIn: { userName: userNames.shift() ?? "" } });
}

interface Opened {
  answerForUser?: AnswerForUser;
  disabled?: boolean;
}

/** Opens a server that is wrapped by something that may answer in place of its users. */
function open({ answerForUser, disabled = false }: Opened) {
  const events: ServerEvent[] = [];
  const questions: boolean[] = [];
  const server = createFullServer({
    issuer,
    users: [
      { name: "alice", password: "a-password-of-alice", disabled },
      { name: "bob", password: "a-password-of-bob" },
    ],
    clients: [{ id: "demo-spa", redirectUris: [`${issuer}/authorized`], scopes: ["openid"] }],
    acrValues: ["weak", "strong"],
    onEvent: (event) => events.push(event),
  }, {
    reservedPaths: [],
    httpClients: false,
    unasked: answerForUser && {
      answerForUser(question) {
        questions.push(question.isNew);
        return answerForUser(question);
      },
      sessions: new Map(),
    },
  });
  const authorize = async (changes: Record<string, string> = {}, cookie = "") => {
    const url = authorizationUrl(server, { scope: "openid", ...changes });
    const headers = { Accept: "text/html", ...cookie && { Cookie: cookie } };
    const response = await server.fetch(new Request(url, { headers }));
    const location = new URL(response.headers.get("Location") ?? "", issuer);
    const cookies = response.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
    return { response, location, parameters: location.searchParams, cookies };
  };
  return { server, events, questions, authorize };
}

describe("An answer in place of a user", () => {
  it("is no setting", () => {
    const config = { issuer, answerForUser: alice, policies: { answerForUser: alice } } as object;
    const error = assertThrows(() => createServer(config as { issuer: string }), ConfigError);
    assertMatch(error.message, /answerForUser[\s\S]*policies\.answerForUser/);
  });

  it("signs the user in and allows the request, and the events name that nobody was asked", async () => {
    const { authorize, events } = open({ answerForUser: alice });
    assertEquals((await authorize()).parameters.has("code"), true);
    assertEquals(
      events.flatMap((event) => "unasked" in event ? [[event.type, event.unasked]] : []),
      [["sign_in.succeeded", true], ["consent.given", true]],
    );
  });

  it("does not sign in a disabled user, who gets the page", async () => {
    const { authorize } = open({ answerForUser: alice, disabled: true });
    assertMatch((await authorize()).location.pathname, /interaction/);
    const { parameters } = await authorize({ prompt: "none" });
    assertEquals(parameters.get("error"), "login_required");
  });

  it("for a disabled user gives no consent of the user whose session the browser has", async () => {
    let answer: ReturnType<AnswerForUser> = undefined;
    const { authorize, server } = open({ answerForUser: () => answer, disabled: true });
    const browser = createBrowser(server.fetch, (url) => url.startsWith(`${issuer}/authorized`));
    const url = authorizationUrl(server, { scope: "openid" });
    await browser.authorize(url, { user: "bob", password: "a-password-of-bob" });
    answer = { signIn: { userName: "alice" } };
    const cookies = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const { location } = await authorize({ prompt: "consent" }, cookies);
    assertMatch(location.pathname, /interaction/);
  });

  it("may be another user than the one before", async () => {
    const { authorize, events } = open({ answerForUser: naming("bob", "alice") });
    const { cookies } = await authorize();
    await authorize({}, cookies);
    const users = events.flatMap((event) => event.type === "code.issued" ? [event.user] : []);
    assertEquals(users, ["bob", "alice"]);
  });

  it("is not asked for when the client may not make the request", async () => {
    const { authorize, questions } = open({ answerForUser: alice });
    const { parameters } = await authorize({ scope: "openid email" });
    assertEquals(parameters.get("error"), "invalid_scope");
    assertEquals((await authorize({ redirect_uri: "https://evil.example" })).response.status, 400);
    assertEquals(questions, []);
  });

  it("does not reach an acr that is essential and too strong for it", async () => {
    const { authorize } = open({ answerForUser: alice });
    const acr = (value: string) =>
      JSON.stringify({ id_token: { acr: { essential: true, values: [value] } } });
    assertEquals((await authorize({ claims: acr("weak") })).parameters.has("code"), true);
    const { parameters } = await authorize({ claims: acr("strong") });
    assertEquals(parameters.get("error"), "unmet_authentication_requirements");
  });

  it("keeps a session that is enough, unless the request demands a newer one", async () => {
    const { authorize, events } = open({ answerForUser: alice });
    const { cookies } = await authorize();
    const signIns = () => events.filter(({ type }) => type === "sign_in.succeeded").length;
    const counts = [];
    for (const changes of [{}, { prompt: "consent" }, { prompt: "login" }, { max_age: "0" }]) {
      await authorize(changes, cookies);
      counts.push(signIns());
    }
    assertEquals(counts, [1, 1, 2, 3]);
  });

  it("that only allows leaves the sign-in to the page, and is asked once more after it", async () => {
    const { authorize, server, questions } = open({ answerForUser: consenting });
    const { location, cookies } = await authorize();
    const page = await server.fetch(new Request(location, { headers: { Cookie: cookies } }));
    assertMatch(await page.text(), /<form id="sign-in"/);
    assertEquals(questions, [true, false]);
  });
});
