// A wide block of code scrolls, so the keyboard must reach it.
// The theme puts each button to copy in a landmark. Screen readers would list dozens of landmarks without a name.
"use strict";

function corrected() {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
  for (const code of document.querySelectorAll("pre > code")) code.scrollWidth > code.clientWidth ? (code.tabIndex = 0) : code.removeAttribute("tabindex");
}

window.addEventListener("resize", corrected);
new MutationObserver(corrected).observe(document.body, { childList: true, subtree: true });
corrected();
