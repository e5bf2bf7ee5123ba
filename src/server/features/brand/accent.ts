import { contrast, mixUntilReadable } from "./contrast.ts";

/** The contrast that text needs (WCAG 2.2, 1.4.3). Links have the accent's color. */
const minContrast = 4.5;

const white = "#ffffff";
const black = "#000000";

/**
 * The backgrounds of the style sheet on which the accent has the least contrast: `--code` in the
 * light theme, `--card` in the dark one.
 */
export const lightBackground = "#f3f2ec";
export const darkBackground = "#1c2225";

const onLight = { background: lightBackground, minContrast };
const onDark = { background: darkBackground, minContrast };

/** Returns why a color cannot be the accent, or undefined. */
export function accentProblem(accent: string): string | undefined {
  const measured = contrast(accent, lightBackground);
  if (measured >= minContrast) return undefined;
  const nearest = mixUntilReadable(accent, black, onLight);
  return `is '${accent}', whose contrast with the page is ${measured.toFixed(1)}:1; links need ` +
    `${minContrast}:1, as '${nearest}' has`;
}

/** Returns the rules that set the accent. The dark theme has a lighter one, if that is needed. */
export function accentStyle(accent: string): string {
  const lighter = mixUntilReadable(accent, white, onDark);
  return `:root {
  --accent: light-dark(${accent}, ${lighter});
  --on-accent: light-dark(${textOn(accent)}, ${textOn(lighter)});
}
`;
}

/** Returns the color of text on a button: black or white, whichever is easier to read. */
function textOn(color: string): string {
  return contrast(white, color) >= contrast(black, color) ? white : black;
}
