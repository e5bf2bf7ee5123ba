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

type Color = string;

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

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Color, other: Color): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Returns the color of text on a button: black or white, whichever is easier to read. */
function textOn(color: string): string {
  return contrast(white, color) >= contrast(black, color) ? white : black;
}

/**
 * Mixes a color with another one until it has enough contrast with a background. Returns the
 * color itself if it has.
 */
function mixUntilReadable(
  color: Color,
  mixedIn: Color,
  on: { background: Color; minContrast: number },
): Color {
  const steps = Array.from({ length: 101 }, (_, percent) => mix(color, mixedIn, percent / 100));
  return steps.find((each) => contrast(each, on.background) >= on.minContrast) ?? mixedIn;
}

function mix(color: Color, other: Color, share: number): Color {
  const others = channels(other);
  const mixed = channels(color).map((value, at) =>
    Math.round(value * (1 - share) + (others[at] ?? 0) * share)
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns how bright a color is to people, from 0 to 1 (WCAG 2.2, relative luminance). */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: Color): number[] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}
