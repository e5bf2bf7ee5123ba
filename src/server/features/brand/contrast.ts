/** A color as `#rrggbb`. */
type Color = string;

/** Whether a text is a color as `#rrggbb`. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Color, other: Color): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/**
 * Mixes a color with another one until it has enough contrast with a background. Returns the
 * color itself if it has.
 */
export function mixUntilReadable(
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
