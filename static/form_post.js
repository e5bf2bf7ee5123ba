// Not before `load`: a test that drives a browser waits for it, as for that of every page.
addEventListener("load", () => document.getElementById("form-post").submit());
