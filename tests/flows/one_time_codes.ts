import { createHmac } from "node:crypto";
import { h } from "preact";
import type { Config, Page, SignInProps } from "../../src/server/mod.ts";

const password = "urn:example:password";
const twoFactors = "urn:example:two-factors";

/** The secrets that users have scanned into their apps. Keep yours in a database. */
const secrets = new Map([["alice", "12345678901234567890"]]);

/** The last half minute whose code each user has used: a code works once. */
const lastUsed = new Map<string, number>();

const config: Partial<Config> = {
  acrValues: [password, twoFactors],
  policies: {
    async authenticate(form, users) {
      const user = await users.checkPassword(form);
      const secret = user && secrets.get(user.name);
      if (!secret) return { user, acr: password, amr: ["pwd"] };
      const isRight = redeemCode(user.name, secret, form.get("code"));
      return isRight ? { user, acr: twoFactors, amr: ["pwd", "otp", "mfa"] } : undefined;
    },
  },
  pages: { signIn },
};
export default config;

/** Accepts the code of this half minute or of the one before (RFC 6238, section 5.2). */
function redeemCode(name: string, secret: string, code: string | undefined): boolean {
  const now = Math.floor(Date.now() / 30_000);
  const step = [now - 1, now].find((step) => codeAt(secret, step) === code);
  if (step === undefined || step <= (lastUsed.get(name) ?? 0)) return false;
  lastUsed.set(name, step);
  return true;
}

/** Returns the code of a half minute (RFC 4226, section 5.3). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

function signIn({ language, action, formToken, username, failed }: SignInProps): Page {
  const { signIn, common } = language.words;
  const field = (name: string, label: string, attributes: object) =>
    h("p", {}, h("label", { for: name }, label), h("input", { id: name, name, ...attributes }));
  return h(
    "html",
    { lang: language.tag, dir: language.direction },
    h("head", {}, h("title", {}, common.signIn)),
    h(
      "body",
      {},
      h("h1", {}, common.signIn),
      failed && h("p", { role: "alert" }, "The password or the code is wrong."),
      h(
        "form",
        { id: "sign-in", method: "post", action },
        h("input", { type: "hidden", name: "form_token", value: formToken }),
        field("username", signIn.username, { value: username, autocomplete: "username" }),
        field("password", signIn.password, { type: "password", autocomplete: "current-password" }),
        field("code", "Code of your app", { inputmode: "numeric", autocomplete: "one-time-code" }),
        h("button", {}, common.signIn),
      ),
    ),
  );
}
