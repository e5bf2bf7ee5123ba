const sections = ["In a test suite", "In your own program", "License"];

/** Of our README what a reader of the package needs, without what leads into the repository. */
export function packageReadme(readme: string): string {
  const [head, ...all] = readme.split(/^(?=## )/m);
  const chosen = sections.map((title) => {
    const section = all.find((each) => each.startsWith(`## ${title}\n`));
    if (!section) throw new Error(`README.md has no section '${title}'.`);
    return section;
  });
  return [head, ...chosen].join("").replace(/^!\[.*\n/gm, "").replace(
    /\[([^\]]+)\]\((?!https?:)[^)]*\)/g,
    "$1",
  );
}
