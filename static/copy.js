// Adds a copy button beside each marked element. Without scripts, the text can still be selected.
const announcement = document.createElement("p");
announcement.className = "visually-hidden";
announcement.setAttribute("role", "status");
document.querySelector("main").append(announcement);

/** Copies a text where there is no clipboard API, as on plain http: by a selection. */
function copyBySelection(marked) {
  const selection = getSelection();
  selection.selectAllChildren(marked);
  const copied = document.execCommand("copy");
  if (copied) selection.removeAllRanges();
  return copied;
}

async function copy(marked) {
  try {
    await navigator.clipboard.writeText(marked.textContent);
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
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${what}`);
  button.addEventListener("click", async () => {
    const copied = await copy(marked);
    button.textContent = copied ? "Copied" : "Selected";
    announcement.textContent = copied
      ? `Copied: ${what}`
      : `Selected: ${what}. Copy it with the keyboard.`;
    setTimeout(() => {
      button.textContent = "Copy";
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
