// Redirects once all frames have loaded. A frame that never loads must not keep the user here.
const redirect = () => location.replace(document.getElementById("continue").href);
addEventListener("load", redirect);
setTimeout(redirect, 5000);
