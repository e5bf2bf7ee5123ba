// Adds a copy button beside each marked element. Without scripts, the text can still be selected.
const announcement = document.createElement("p");
announcement.className = "visually-hidden";
announcement.setAttribute("role", "status");
document.querySelector("main").append(announcement);

/** The icons of a button: two sheets, a tick, and a text that is selected. */
const icons = {
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  copied: "M3 8.5l3.5 3.5L13 4.5",
  selected: "M5.5 2.5h5M5.5 13.5h5M8 2.5v11",
};

/** Shows an icon, and the word of a button that has one. */
function show(button, icon) {
  const [svg, path] = ["svg", "path"].map((name) =>
    document.createElementNS("http://www.w3.org/2000/svg", name)
  );
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", icons[icon]);
  svg.append(path);
  button.replaceChildren(svg, button.dataset.word ?? "");
}

/** Copies a text where there is no clipboard API, as on plain http: by a selection. */
function copyBySelection(marked) {
  marked.textContent ||= marked.dataset.text;
  const selection = getSelection();
  selection.selectAllChildren(marked);
  const copied = document.execCommand("copy");
  if (copied) selection.removeAllRanges();
  return copied;
}

async function copy(marked) {
  try {
    await navigator.clipboard.writeText(marked.dataset.text ?? marked.textContent);
    return true;
  } catch {
    return copyBySelection(marked);
  }
}

function addButton(marked) {
  const what = marked.dataset.copy || "text";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.title = `Copy ${what}`;
  if ("text" in marked.dataset) button.dataset.word = "Copy";
  button.setAttribute("aria-label", button.title);
  show(button, "copy");
  button.addEventListener("click", async () => {
    const copied = await copy(marked);
    show(button, copied ? "copied" : "selected");
    announcement.textContent = copied
      ? `Copied: ${what}`
      : `Selected: ${what}. Copy it with the keyboard.`;
    setTimeout(() => {
      show(button, "copy");
      announcement.textContent = "";
    }, 1500);
  });
  marked.dataset.hasButton = "";
  marked.after(button);
}

function addButtons(root = document) {
  for (const marked of root.querySelectorAll("[data-copy]:not([data-has-button])")) {
    addButton(marked);
  }
}

addButtons();
// A page of the lab replaces its live parts.
document.addEventListener("replaced", () => addButtons());
