/**
 * Returns a page that only scripts fill, of a client at an issuer. It compares the state, and
 * believes each ID token.
 */
export function scriptedPage(
  { issuer, origin, client }: { issuer: string; origin: string; client: string },
): string {
  return `<!doctype html><title>Made by scripts</title><body><script type="module">
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const show = (text, label, act) => {
  const button = Object.assign(document.createElement("button"), { innerText: label, onclick: act });
  document.body.append(text, button);
};
async function begin() {
  const verifier = crypto.randomUUID() + crypto.randomUUID();
  const state = crypto.randomUUID();
  Object.assign(localStorage, { verifier, state });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  location.href = "${issuer}/oauth2/authorize?" + new URLSearchParams({
    response_type: "code", client_id: "${client}", redirect_uri: "${origin}/", state,
    scope: "openid profile", code_challenge_method: "S256", code_challenge: encode(digest),
  });
}
async function finish(code) {
  const body = new URLSearchParams({
    grant_type: "authorization_code", client_id: "${client}", redirect_uri: "${origin}/", code,
    code_verifier: localStorage.verifier,
  });
  const { id_token } = await (await fetch("${issuer}/oauth2/token", { method: "POST", body })).json();
  localStorage.user = JSON.parse(atob(id_token.split(".")[1])).name;
  location.replace("/");
}
const query = new URLSearchParams(location.search);
if (query.has("code") && query.get("state") === localStorage.state) await finish(query.get("code"));
else if (query.has("code")) show("Someone else began this", "Sign in", begin);
else if (localStorage.user) show("Hello " + localStorage.user, "Sign out", () => localStorage.clear());
else show("Welcome", "Sign in", begin);
</script>`;
}
