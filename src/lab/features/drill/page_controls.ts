import { ignoreProblem } from "../verdicts/drill_access.ts";
import type { DrillBrowser, DrillPage } from "./drill_browser.ts";
import type { PageControl } from "./foreign_html.ts";

/** So many pages to which the page of a user links are opened. */
export const mostLinks = 8;

// The words are of English, German, French, Spanish, Portuguese, Italian, Dutch and Polish.

/** What leads to a sign-in: other links may change something, such as a cart. */
export const signInWords = anyOf(
  "(?:log|sign)[ _-]?(?:in|on)|o?auth2?|oidc|sso|authorize|continue with|connect",
  "(?:an|ein)melden|einloggen|connexion|(?:se )?connecter|iniciar sesi[óo]n|acceder",
  "iniciar sess[ãa]o|entrar|accedi|inloggen|aanmelden|zaloguj",
);

export const signOutWords = anyOf(
  "(?:log|sign)[ _-]?(?:out|off)|end[ _-]?session|exit|quit|leave",
  "(?:ab|aus)melden|ausloggen|d[ée]connexion|d[ée]connecter|cerrar sesi[óo]n|salir",
  "(?:terminar|encerrar) sess[ãa]o|sair|esci|disconnetti|uitloggen|afmelden|wyloguj",
);

/** What gets new tokens. */
export const refreshWords = /\b(?:refresh|renew|rotate|reload)/i;

/** What changes something else. */
const changingWords = anyOf(
  "delete|remove|cancel|revoke|unlink|disconnect|buy|pay|send|save",
  "l[öo]schen|entfernen|kaufen|bezahlen|senden|speichern|supprimer|acheter|payer|envoyer",
  "enregistrer|eliminar|borrar|comprar|pagar|enviar|guardar|elimina|acquista|paga|invia|salva",
  "verwijderen|kopen|betalen|verzenden|opslaan|usu[ńn]|kup|zap[łl]a[ćc]|wy[śs]lij|zapisz",
);

function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\d_])(?:${words.join("|")})(?![\\p{L}\\d_])`, "iu");
}

type SaidControl = Pick<PageControl, "text" | "url">;

/** Whether a control says something, or leads to a path that does. */
export function says(words: RegExp, { text, url }: SaidControl): boolean {
  return words.test(`${text} ${new URL(url).pathname}`);
}

/** Whether pressing a control changes nothing, and does not end the session. */
export function isHarmless(control: SaidControl): boolean {
  return !says(changingWords, control) && !says(signOutWords, control);
}

/** Returns where pages lead that changes nothing, at their own origin. */
export function linksOf(pages: readonly DrillPage[]): string[] {
  const links = pages.flatMap((page) =>
    page.controls().filter((each) =>
      each.method === "GET" && new URL(each.url).origin === new URL(page.url).origin &&
      isHarmless(each)
    )
  );
  return [...new Set(links.map(({ url }) => url))];
}

/** Opens the links of a page, but for one that signs out. */
export async function linkedPages(browser: DrillBrowser, page: DrillPage): Promise<DrillPage[]> {
  const pages = [];
  for (const url of linksOf([page]).slice(0, mostLinks)) {
    const opened = await browser.copy().open(url, page.url).catch(ignoreProblem);
    if (opened) pages.push(opened);
  }
  return pages;
}
