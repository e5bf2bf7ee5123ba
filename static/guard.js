// Guarded buttons work only half a second after the page became visible or was focused. Otherwise
// another window could be closed by the first click of a double click, and the second click would
// land on a button of this page ("double-clickjacking"). Without scripts, they work at once.
const delay = 500;
const selector = "[data-guarded]";
let timer;
let armed = false;

const setArmed = (value) => {
  armed = value;
  for (const button of document.querySelectorAll(selector)) {
    if (armed) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }
};

const restart = () => {
  clearTimeout(timer);
  setArmed(false);
  if (document.visibilityState === "visible") timer = setTimeout(() => setArmed(true), delay);
};

addEventListener("click", (event) => {
  if (!armed && event.target.closest(selector)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);
addEventListener("focus", restart);
addEventListener("pageshow", restart);
document.addEventListener("visibilitychange", restart);
document.addEventListener("DOMContentLoaded", restart);
