/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import type { Brand } from "./brand.ts";
import type { Language } from "./languages/languages.ts";
import { staticPath } from "./our_files.ts";

/** A page that is ready to be rendered: a JSX element, as Preact creates them. */
export interface Page {
  /** The component, or the name of the HTML element. */
  type: unknown;
  /** The properties of the element. */
  props: unknown;
  /** The key of the element among its siblings. */
  key: unknown;
}

/** What an element can contain. */
export type Content = Page | string | number | boolean | null | undefined | Content[];

/** A form that only one of our pages can send. */
export interface GuardedForm {
  /** Where the form is sent. */
  action: string;
  /** The value of the hidden field `form_token`, which guards the form against forgery. */
  formToken: string;
}

/** The props of every page. `Texts` are those of the feature that it belongs to. */
export interface FrameProps<Texts = unknown> {
  /** The path below which the server lives: "" or "/tenant". */
  base: string;
  /** The organization that runs the server. */
  brand: Brand;
  /** The language of the page, with its texts. */
  language: Language<Texts>;
  /** A line at the top of every page. */
  notice?: string | undefined;
}

interface FrameOptions extends FrameProps {
  title: string;
  /** A narrow page asks for one thing; a wide one shows many. */
  width: "narrow" | "wide";
  /** One of our static files, which the page works without. */
  script?: string | undefined;
  /** Whether the page has buttons that a hidden click must not reach. */
  guard?: boolean;
  children: ComponentChildren;
}

/** The common parts of all pages: head, style, notice and masthead. */
export function Frame(props: FrameOptions): VNode {
  const { base, brand, language, notice, width, children } = props;
  return (
    <html lang={language.tag} dir={language.direction}>
      <Head {...props} />
      <body>
        {notice && (
          <aside class="notice" id="notice" aria-label={language.words.common.notice} dir="auto">
            {notice}
          </aside>
        )}
        <header class={`masthead ${width}`}>
          <a class="brand" href={`${base}/`}>
            <img src={brand.logo} alt="" height="28" />
            <bdi>{brand.name}</bdi>
          </a>
        </header>
        <main class={width}>{children}</main>
        <Footer {...props} />
      </body>
    </html>
  );
}

function Head({ base, brand, title, script, guard }: FrameOptions): VNode {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · ${brand.name}`}</title>
      <link rel="icon" href={brand.logo} />
      <link rel="stylesheet" href={staticPath(base, "style.css")} />
      {brand.stylesheet && <link rel="stylesheet" href={brand.stylesheet} />}
      {/* Not deferred: its buttons must not work before it runs. */}
      {guard && <script src={staticPath(base, "guard.js")} />}
      {script && <script src={staticPath(base, script)} defer />}
    </head>
  );
}

function Footer({ brand, language }: FrameOptions): VNode | null {
  const { support, privacy, terms } = brand;
  const words = language.words.footer;
  if (!support && !privacy && !terms) return null;
  return (
    <footer class="footer">
      {support && <a href={support}>{words.support}</a>}
      {privacy && <a href={privacy}>{words.privacy}</a>}
      {terms && <a href={terms}>{words.terms}</a>}
    </footer>
  );
}
