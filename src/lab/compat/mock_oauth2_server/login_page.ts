import type { ResponseData } from "../../../server/http/response_data.ts";

/** Responds with the sign-in page: that of the test, or one with two fields. */
export function loginPage(custom: string | undefined, query: URLSearchParams): ResponseData {
  // A page of the test may load what it likes.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/html;charset=UTF-8"],
      ["Cache-Control", "no-store"],
      ...custom === undefined ? [["Content-Security-Policy", policy] as const] : [],
    ],
    body: custom ?? defaultPage(query),
  };
}

function defaultPage(query: URLSearchParams): string {
  const parameters = [...query].map(([name, value]) =>
    `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; padding: 0 1rem; }
input, textarea, button { font: inherit; display: block; width: 100%; box-sizing: border-box; padding: .5rem; margin: .25rem 0 1rem; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>Sign in</h1>
<p>Test only: any user name is accepted.</p>
<form method="post">
<label>User name <input name="username" required autofocus autocomplete="username"></label>
<label>More claims, as JSON <textarea name="claims" rows="5" placeholder='{ "acr": "Level4" }'></textarea></label>
<button>Sign in</button>
</form>
<h2>Authorization request</h2>
<dl>${parameters.join("")}</dl>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
