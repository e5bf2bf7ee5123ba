/** The beginning of every marker: where it shows up, a secret would. */
export const mark = "S3cretMark";

/** A pair of a HAR. */
interface Pair {
  name: string;
  value: string;
}

/**
 * Returns a recorded login with a marker in every place of a HAR where a secret may be, and the
 * places with their numbers.
 */
export function markedHar(): { har: Record<string, unknown>; places: string[] } {
  const places: string[] = [];
  const secret = (place: string) => `${mark}${places.push(place)}x`;
  const pair = (name: string, place: string): Pair => ({ name, value: secret(`${place} ${name}`) });
  const form = (place: string, fixed: Record<string, string>, names: string) =>
    new URLSearchParams([
      ...Object.entries(fixed),
      ...names.split(" ").map((name): [string, string] => [name, secret(`${place} ${name}`)]),
    ]);
  const jwt = (place: string, header: object, claims: object) =>
    [
      { ...header, kid: secret(`${place} kid`) },
      { ...claims, ...Object.fromEntries(claimNames.map((name) => [name, secret(place + name)])) },
    ].map(encode).join(".") + `.${secret(`${place} signature`)}`;
  const request = (method: string, url: string, postData?: object) => ({
    method,
    url,
    headers: [
      ...["Cookie", "Referer", "DPoP", "X-Api-Key", "X-Other"].map((name) => pair(name, url)),
      { name: "Authorization", value: `Basic ${btoa(secret(`${url} Basic`))}` },
    ],
    cookies: [pair("session", `${url} cookie`)],
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    postData,
    comment: secret(`${url} comment`),
  });
  const response = (status: number, mimeType: string, text: string, location = "") => ({
    status,
    headers: [
      { name: "Location", value: location },
      pair("Set-Cookie", "response"),
      pair("X-Request-Id", "response"),
    ],
    cookies: [pair("sid", "response cookie")],
    content: { mimeType, text, comment: secret("content comment") },
    redirectURL: location,
  });
  const host = "https://id.acme.example";
  const encoded = "application/x-www-form-urlencoded";
  const query = form(
    "authorization",
    { response_type: "code", scope: "openid" },
    "client_id state nonce code_challenge login_hint id_token_hint request acr_values claims own",
  );
  const callback = `https://app.example/${secret("callback path")}?${
    form("callback", {}, "code state session_state iss own id_token access_token")
  }#${form("fragment", {}, "code state")}`;
  const exchange = form(
    "exchange",
    { grant_type: "authorization_code" },
    "code code_verifier client_id client_secret client_assertion assertion username password own",
  );
  const refresh = form("refresh", { grant_type: "refresh_token" }, "refresh_token client_secret");
  const tokens = {
    access_token: jwt("access token ", { alg: "RS256", typ: "at+jwt" }, { exp: 1 }),
    id_token: jwt("ID token ", { alg: "RS256", typ: "JWT" }, { exp: 1 }),
    token_type: "Bearer",
    expires_in: 600,
    scope: secret("scope"),
    ...Object.fromEntries(
      ["refresh_token", "device_code", "own", secret("member")].map((
        name,
      ) => [name, secret(`tokens ${name}`)]),
    ),
  };
  const base64 = {
    status: 200,
    headers: [],
    content: {
      encoding: "base64",
      mimeType: "application/json",
      text: btoa(JSON.stringify(tokens)),
    },
  };
  const json = (value: unknown) => response(200, "application/json", JSON.stringify(value));
  const user = Object.fromEntries(
    ["sub", ...claimNames].map((name) => [name, secret(`userinfo ${name}`)]),
  );
  const matrix = `/${secret("path")}/authorize;jsessionid=${secret("matrix")}`;
  const entries = [
    [request("GET", `${host}${matrix}?${query}`), response(302, "text/html", "", callback)],
    [
      request("POST", `${host}/login/${secret("page path")}?${secret("query name")}`, {
        mimeType: encoded,
        params: [pair("password", "login"), pair("otp", "login")],
      }),
      response(200, "text/html", `<input name="code" value="${secret("page")}">`),
    ],
    [request("POST", `${host}/connect/token`, { mimeType: encoded, text: `${exchange}` }), base64],
    [
      request("POST", `${host}/connect/token?${form("token query", {}, "client_secret")}`, {
        mimeType: "application/json",
        text: JSON.stringify(Object.fromEntries(refresh)),
      }),
      json({ ...tokens, refresh_token: secret("next refresh token") }),
    ],
    [request("GET", `${host}/connect/userinfo?access_token=${secret("query token")}`), json(user)],
    [
      request("POST", "https://app.example/callback", {
        mimeType: encoded,
        text: `${form("posted", {}, "code state id_token user")}`,
      }),
      response(200, encoded, `${form("form response", {}, "access_token refresh_token")}`),
    ],
  ].map(([sent, received]) => ({
    request: sent,
    response: received,
    serverIPAddress: secret("address"),
    connection: secret("connection"),
    _webSocketMessages: [{ data: secret("socket") }],
  }));
  const pages = [{ id: secret("page id"), title: secret("title") }];
  return {
    har: { log: { version: "1.2", creator: pair("creator", "log"), pages, entries } },
    places,
  };
}

/** Claims whose values may be about a person, or secret. */
const claimNames = ["sub", "email", "nonce", "sid", "jti", "at_hash", "roles"];

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
